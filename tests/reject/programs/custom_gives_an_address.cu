// k(x, y)
// CP0239
__device__ const double *address(const double &a) { return &a; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void address_pullback(const double &a, double *d_a) {}
} }
__global__ void k(const double *x, double *y) { y[0] = *address(x[0]); }
