// k(x, y)
// CP0239
__device__ double &elsewhere(double &a);
namespace cladpy { namespace custom_derivatives {
__device__ inline void elsewhere_pullback(double &a, double *d_a) {}
} }
__global__ void k(const double *x, double *y) {
  y[0] = x[0];
  elsewhere(y[0]) *= x[1];
}
