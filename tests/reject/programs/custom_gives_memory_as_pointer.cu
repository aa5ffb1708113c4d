// k(x, y)
// CP0239
__device__ const double *same(const double *p) { return (const double *)p; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void same_pullback(const double *p, double *d_p) {}
} }
__global__ void k(const double *x, double *y) { y[0] = *same(x); }
