// k(x, y)
// CP0239
__device__ double *next(double *p) {
  p++;
  return p;
}
namespace cladpy { namespace custom_derivatives {
__device__ inline void next_pullback(double *p, double *d_p) {}
} }
__global__ void k(const double *x, double *y) {
  y[1] = x[0];
  *next(y) *= x[1];
}
