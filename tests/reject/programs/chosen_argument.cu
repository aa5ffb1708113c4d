// k(x, z, y)
// CP0222: a function with a pullback of the user's is never inlined.
namespace cladpy::custom_derivatives {
__device__ void load_pullback(const double *p, double d_y, double *d_p) { *d_p += d_y; }
}
__device__ double load(const double *p) { return *p; }
__global__ void k(const double *x, const double *z, double *y, int n) { y[0] = load(n > 2 ? x : z); }
