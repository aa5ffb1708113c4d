// Burgers' equation in time: two buffers that change places, and a sum of squares in the end.
#include <cuda_runtime.h>

__global__ void advance(double *next, const double *now, double viscosity, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double left = i > 0 ? now[i - 1] : 0.0, right = i < n - 1 ? now[i + 1] : 0.0;
  next[i] = now[i] - 0.05 * now[i] * (right - left) + viscosity * (left - 2 * now[i] + right);
}

void burgers(double *u, double viscosity, int n, int steps) {
  double *now, *next;
  cudaMalloc(&now, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMemcpy(now, u, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    advance<<<(n + 255) / 256, 256>>>(next, now, viscosity, n);
    double *held = now;
    now = next;
    next = held;
  }
  cudaMemcpy(u, now, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
}
