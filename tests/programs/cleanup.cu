// A host function that leaves for its end where a call has failed, as many samples do.
#include <cuda_runtime.h>
__global__ void grow(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i] * y[i];
}
cudaError_t run(const double *in, double *out, int n) {
  double *x = 0, *y = 0;
  cudaError_t status;
  status = cudaMalloc((void **)&x, n * sizeof(double));
  if (status != cudaSuccess) goto Error;
  status = cudaMalloc((void **)&y, n * sizeof(double));
  if (status != cudaSuccess) {
    goto Error;
  }
  if (n > 1000) goto Error;
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(y, out, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int step = 0; step < 3; ++step) {
    grow<<<(n + 31) / 32, 32>>>(y, x, n);
    status = cudaGetLastError();
    if (status != cudaSuccess) goto Error;
  }
  status = cudaMemcpy(out, y, n * sizeof(double), cudaMemcpyDeviceToHost);
Error:
  cudaFree(x);
  cudaFree(y);
  return status;
}
