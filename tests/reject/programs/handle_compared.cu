// run(x, y)
// CP0210
#include <cuda_runtime.h>
__global__ void square(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
void run(const double *x, double *y, int n) {
  cudaStream_t stream = nullptr;
  if (n > 1) cudaStreamCreate(&stream);
  if (stream != nullptr) square<<<1, 32, 0, stream>>>(x, y);
}
