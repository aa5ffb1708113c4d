// run(x, y)
// CP0240
#include <cuda_runtime.h>
void run(const double *x, double *y, int n) {
  void *memory;
  cudaMalloc(&memory, n * sizeof(double));
  cudaMemcpy(memory, x, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(y, memory, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(memory);
}
