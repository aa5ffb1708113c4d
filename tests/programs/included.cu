// A program whose launches are in a file that it includes.
#include "parts/launches.cuh"
#include "parts/launches.cuh"
#include "parts/kernels.cuh"

double blurred(const double *x, int n, int times) {
  double *a, *b, host[64], sum = 0;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMemcpy(a, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < times; ++t) blur_twice(a, b, n);
  cudaMemcpy(host, a, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i] * host[i];
  cudaFree(a);
  cudaFree(b);
  return sum;
}
