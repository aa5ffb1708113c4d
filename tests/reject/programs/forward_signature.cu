// k(x, y)
// CP0406
__device__ double square(double x) { return x * x; }
namespace cladpy::custom_derivatives {
__device__ double square_forward(double x, double *state) { return *state = x; }
__device__ void square_pullback(double x, double state, double d_result, double *d_x) { *d_x += 2 * state * d_result; }
}
__global__ void k(double *x, double *y) { y[0] = square(x[0]); }
