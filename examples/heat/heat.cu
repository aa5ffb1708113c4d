// Heat in a rod: `steps` steps in time on the device from the temperatures `start`.
#include <cuda_runtime.h>

#include <utility>
#include <vector>

#include "profile.h"

__global__ void step(double *next, const double *now, double nu, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double left = i > 0 ? now[i - 1] : now[i], right = i < n - 1 ? now[i + 1] : now[i];
  next[i] = now[i] + nu * (left - 2 * now[i] + right);
}

// How far the temperatures are in the end from what they should be: the mean of the squares.
double misfit(const double *start, double nu, int n, int steps) {
  double *now, *next;
  cudaMalloc(&now, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMemcpy(now, start, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    step<<<(n + 127) / 128, 128>>>(next, now, nu, n);
    std::swap(now, next);
  }
  std::vector<double> end(n);
  cudaMemcpy(end.data(), now, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (end[i] - wanted(i, n)) * (end[i] - wanted(i, n));
  return sum / n;
}
