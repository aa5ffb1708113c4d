// k(x, y)
// CP0226
__device__ void put(double *y, double v, int k) { y[0] = v * v * k; }
namespace cladpy::custom_derivatives {
__device__ void put_pullback(double *y, double v, int k, double *d_y, double *d_v, int *d_k) {
  *d_v += *d_y * 2 * v * k;
  *d_y = 0;
}
}
__global__ void k(const double *x, double *y, int *count) {
  put(y + threadIdx.x, x[threadIdx.x], atomicAdd(count, 1));
}
