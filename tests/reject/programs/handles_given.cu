// run(x, y)
#include <cuda_runtime.h>
__global__ void square(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
void run(const double *x, double *y, int n, cudaStream_t stream) {
  cudaStream_t *streams = new cudaStream_t[n];
  for (int s = 0; s < n; ++s) streams[s] = stream;
  square<<<1, 32, 0, streams[0]>>>(x, y);
  delete[] streams;
}
