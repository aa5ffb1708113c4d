// Threads that meet at the elements of what they read, in launches of host programs.
#include <cuda_runtime.h>
#include <utility>

__global__ void gather(double *y, const double *x, const int *at, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = rate * x[at[i]] * x[at[i]];
}
__global__ void gather_pairs(double2 *y, const double2 *x, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = make_double2(x[at[i]].x * x[at[i]].y, x[at[i]].y);
}

double in_turns(const double *in, const int *at, double rate, int n, int steps) {
  double *a, *b, host[64], total = 0;
  int *d_at;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMalloc(&d_at, n * sizeof(int));
  cudaMemcpy(d_at, at, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(a, in, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    gather<<<1, 64>>>(b, a, d_at, rate, n);
    std::swap(a, b);
  }
  cudaMemcpy(host, a, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) total += host[i] * host[i];
  cudaFree(a);
  cudaFree(b);
  cudaFree(d_at);
  return total;
}

// What is read begins in the middle of its memory.
void of_pairs(double2 *out, const double2 *in, const int *at, int n) {
  double2 *a, *b;
  cudaMalloc(&a, 2 * n * sizeof(double2));
  cudaMalloc(&b, n * sizeof(double2));
  cudaMemcpy(a + n, in, n * sizeof(double2), cudaMemcpyHostToDevice);
  gather_pairs<<<1, 64>>>(b, a + n, at, n);
  cudaMemcpy(out, b, n * sizeof(double2), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
}
