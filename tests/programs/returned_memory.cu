// Functions that return their results in memory of their own: a pointer, or a vector.
#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

__global__ void square(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}

double *of_the_host(const double *x, int n) {
  double *d_x, *d_y;
  cudaMalloc((void **)&d_x, n * sizeof(double));
  cudaMalloc((void **)&d_y, n * sizeof(double));
  cudaMemcpy(d_x, x, n * sizeof(double), cudaMemcpyHostToDevice);
  square<<<(n + 31) / 32, 32>>>(d_x, d_y, n);
  double *y = (double *)malloc(n * sizeof(double));
  cudaMemcpy(y, d_y, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  return y;
}

double *of_the_device(const double *x, int n) {
  double *d_x, *d_y;
  cudaMalloc((void **)&d_x, n * sizeof(double));
  cudaMalloc((void **)&d_y, n * sizeof(double));
  cudaMemcpy(d_x, x, n * sizeof(double), cudaMemcpyHostToDevice);
  square<<<(n + 31) / 32, 32>>>(d_x, d_y, n);
  cudaFree(d_x);
  return d_y;
}

// The parameters have the names that the result would have.
std::vector<double> scaled(const std::vector<double> &result, double result_size) {
  std::vector<double> y(result.size());
  for (size_t i = 0; i < y.size(); i++) y[i] = result[i] * result_size * result[0];
  return y;
}

// An argument's memory, or none.
const double *second_half(const double *x, int n) { return n > 1 ? x + n / 2 : nullptr; }
