// run(x, y)
// CP0249
#include <cuda_runtime.h>
void run(const double *x, double *y, int n) {
  unsigned char *bytes;
  cudaMalloc(&bytes, n * sizeof(double));
  cudaMemcpy(bytes, x, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(y, bytes, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(bytes);
}
