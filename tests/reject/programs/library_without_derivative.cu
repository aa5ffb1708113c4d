// run(x)
// CP0224
#include <cublas_v2.h>
double run(const double *x, int n) {
  double *memory, sum;
  cublasHandle_t handle;
  cublasCreate(&handle);
  cudaMalloc(&memory, n * sizeof(double));
  cudaMemcpy(memory, x, n * sizeof(double), cudaMemcpyHostToDevice);
  cublasDasum(handle, n, memory, 1, &sum);
  cudaFree(memory);
  return sum;
}
