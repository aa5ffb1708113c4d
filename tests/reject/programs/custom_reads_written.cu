// k(x, y, t)
// CP0509
__device__ double f(const double *t, int i) { return t[i] * t[i]; }
namespace cladpy::custom_derivatives {
__device__ void f_pullback(const double *t, int i, double d_result, double *d_t) { d_t[i] += 2 * d_result * t[i]; }
}
__global__ void k(double *x, double *y, double *t) {
  int i = threadIdx.x;
  t[i] = 3 * x[i];
  y[i] = f(t, i);
}
