// Sums in several launches: partial sums, grids that are halved, shared memory of a size given at the launch.
#include <cuda_runtime.h>
#include <cstdlib>
#include <utility>

__global__ void partial_sums(double *out, const double *in, int n) {
  extern __shared__ double tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] * in[i] : 0.0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) tile[threadIdx.x] += tile[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

// Two launches: one value for each block, then one for all.
double in_two_launches(const double *in, int n) {
  const int block = 16, blocks = (n + block - 1) / block;
  double *x, *parts, *total, result;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&parts, blocks * sizeof(double));
  cudaMalloc(&total, sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  partial_sums<<<blocks, block, block * sizeof(double)>>>(parts, x, n);
  partial_sums<<<1, 32, 32 * sizeof(double)>>>(total, parts, blocks);
  cudaMemcpy(&result, total, sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(parts);
  cudaFree(total);
  return result;
}

__global__ void fold(double *x, int half, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half && i + half < n) x[i] = x[i] + x[i + half] * (1 + 0.1 * x[i]);
}

// A loop of launches over half as many numbers each time, in place.
double by_halves(const double *in, int n) {
  double *x, result;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int left = n; left > 1;) {
    int half = (left + 1) / 2;
    fold<<<(half + 7) / 8, 8>>>(x, half, left);
    left = half;
  }
  cudaMemcpy(&result, x, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(x);
  return result;
}

// Until one block is left, from one buffer into the other.
double level_by_level(const double *in, int n) {
  double *from, *to, result;
  const int block = 8;
  cudaMalloc(&from, n * sizeof(double));
  cudaMalloc(&to, n * sizeof(double));
  cudaMemcpy(from, in, n * sizeof(double), cudaMemcpyHostToDevice);
  int left = n;
  while (left > 1) {
    int blocks = (left + block - 1) / block;
    partial_sums<<<blocks, block, block * sizeof(double)>>>(to, from, left);
    std::swap(from, to);
    left = blocks;
  }
  cudaMemcpy(&result, from, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(from);
  cudaFree(to);
  return result;
}

// Mean and variance: the second sum needs the first.
__global__ void sum_all(double *sum, const double *x, double shift, int power, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double d = x[i] - shift;
  atomicAdd(sum, power == 1 ? d : d * d);
}
double standard_score(const double *in, int n) {
  double *x, *sums, host[2];
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&sums, 2 * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(sums, 0, 2 * sizeof(double));
  sum_all<<<(n + 31) / 32, 32>>>(sums, x, 0.0, 1, n);
  cudaMemcpy(&host[0], sums, sizeof(double), cudaMemcpyDeviceToHost);
  double mean = host[0] / n;
  sum_all<<<(n + 31) / 32, 32>>>(sums + 1, x, mean, 2, n);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(sums);
  return (in[0] - mean) * (in[0] - mean) * n / host[1];
}

// Running sums: a scan of steps that double.
__global__ void scan_step(double *out, const double *in, int distance, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i >= distance ? in[i] + in[i - distance] : in[i];
}
void running_products(double *out, const double *in, int n) {
  double *a, *b;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMemcpy(a, in, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int distance = 1; distance < n; distance *= 2) {
    scan_step<<<(n + 15) / 16, 16>>>(b, a, distance, n);
    double *held = a;
    a = b;
    b = held;
  }
  cudaMemcpy(out, a, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) out[i] *= in[i];
  cudaFree(a);
  cudaFree(b);
}
