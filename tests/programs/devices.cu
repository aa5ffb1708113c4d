// Questions about the device that decide how a kernel is launched.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void square(double *y, const double *x, int n) {
  extern __shared__ double tile[];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    tile[threadIdx.x] = x[i];
    y[i] = tile[threadIdx.x] * x[i];
  }
}

double as_many_blocks_as_fit(const double *x, int n) {
  int device = 0, count = 0, processors = 0;
  cudaGetDeviceCount(&count);
  if (count == 0) {
    fprintf(stderr, "no device\n");
    return -1;
  }
  cudaSetDevice(0);
  cudaGetDevice(&device);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  printf("%s: %s\n", properties.name, n > 64 ? "many" : "few!");
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (processors != properties.multiProcessorCount || properties.maxThreadsPerBlock < 64) exit(1);
  cudaFuncSetAttribute(square, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096);
  double *in, *out;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemcpy(in, x, n * sizeof(double), cudaMemcpyHostToDevice);
  const int blocks = std::min(std::max(1, processors), (n + 63) / 64);
  square<<<blocks, 2 * properties.warpSize, 64 * sizeof(double)>>>(out, in, n);
  std::vector<double> squares(n);
  cudaMemcpy(squares.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  double sum = 0;
  for (auto s : squares) sum += s;
  return sum;
}
