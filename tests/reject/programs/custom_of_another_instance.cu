// k(x, y)
// CP0408
template <class T> __device__ T soft(T x) { return x * x; }
namespace cladpy::custom_derivatives {
__device__ void soft_pullback(double x, double d_result, double *d_x) { *d_x += d_result * 2 * x; }
}
__global__ void k(const float *x, float *y) { y[threadIdx.x] = soft(x[threadIdx.x]); }
