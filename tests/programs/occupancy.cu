// Questions about kernels and memory that decide how a kernel is launched.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>

template <class T> __global__ void squares(T *y, const T *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * x[i];
}
__global__ void weigh(double *y, const double *w, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] *= w[i];
}

double as_occupancy_says(const double *x, const double *w, int n) {
  double *d_x, *d_w, *d_y;
  size_t available, total;
  cudaMemGetInfo(&available, &total);
  if (3 * n * sizeof(double) > total) return -1;
  printf("%.1f GB are free\n", available / 1e9);
  cudaMalloc(&d_x, n * sizeof(double));
  cudaMalloc(&d_w, n * sizeof(double));
  cudaMalloc(&d_y, n * sizeof(double));
  cudaMemcpy(d_x, x, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(d_w, w, n * sizeof(double), cudaMemcpyHostToDevice);
  int grid, block, resident, device, processors;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, squares<double>, 0, 64);
  squares<<<std::min(grid, (n + block - 1) / block), block>>>(d_y, d_x, n);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, weigh);
  block = std::min(attributes.maxThreadsPerBlock, 32);
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, weigh, block, 0);
  for (int i = 0; i < 2; ++i) weigh<<<std::min(resident * processors, (n + block - 1) / block), block>>>(d_y, d_w, n);
  double host[128], sum = 0;
  cudaMemcpy(host, d_y, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i];
  cudaFree(d_x);
  cudaFree(d_w);
  cudaFree(d_y);
  return sum;
}
