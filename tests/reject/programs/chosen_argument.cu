// k(x, y)
// CP0222: a function with a pullback of the user's is never inlined.
namespace cladpy::custom_derivatives {
__device__ void load_pullback(const double *p, double d_y, double *d_p) { *d_p += d_y; }
}
__device__ double load(const double *p) { return *p; }
__global__ void k(double *x, double *y) {
  double v = x[0] * 2;
  y[0] = load(&v);
}
