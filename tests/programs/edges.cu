// Memory that is reached from beyond its end.
#include <cuda_runtime.h>

#include <vector>

__global__ void scale_before(double *end, double factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) end[-1 - i] = factor * end[-1 - i] * end[-1 - i];
}
__global__ void add_before(double *y, const double *end, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5 * y[i] + end[-1 - i] * end[-1 - i];
}

double from_the_end(const double *x, double factor, int n, int steps) {
  const size_t bytes = n * sizeof(double);
  double *v, *w;
  cudaMalloc(&v, bytes);
  cudaMalloc(&w, bytes);
  cudaMemcpy(v, x, bytes, cudaMemcpyHostToDevice);
  cudaMemset(w, 0, bytes);
  for (int step = 0; step < steps; ++step) {
    scale_before<<<1, 32>>>(v + n, factor, n);
    add_before<<<1, 32>>>(w, v + n, n);
    scale_before<<<1, 32>>>(w + n, factor, n - 1);
  }
  std::vector<double> found(n);
  cudaMemcpy(found.data(), w, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (double one : found) sum += one * one;
  cudaFree(v);
  cudaFree(w);
  return sum;
}
