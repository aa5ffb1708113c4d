// scattered(in)
// accumulate=deterministic
// CP0505
#include <cuda_runtime.h>

__global__ void products(double *y, const double *x, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[at[i]];
}
double scattered(const double *in, const int *at, int n) {
  double *a, host[64], total = 0;
  cudaMalloc(&a, 2 * n * sizeof(double));
  cudaMemcpy(a, in, n * sizeof(double), cudaMemcpyHostToDevice);
  products<<<1, 64>>>(a + n, a, at, n);
  cudaMemcpy(host, a + n, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) total += host[i];
  cudaFree(a);
  return total;
}
