// Arrays of the host that are declared in loops and branches, and that copies write.
#include <cuda_runtime.h>

__global__ void grow(double *x, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + rate * x[i] * (1 - x[i]);
}

// The number that decides is computed from what has been copied in this iteration.
double in_a_loop(const double *x, double rate, int n, int steps) {
  double *d, total = 0;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    grow<<<1, 32>>>(d, rate, n);
    double held[8];
    cudaMemcpy(held, d, sizeof held, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < 8; ++i) sum += held[i] * held[i];
    total += sum > 2 ? 2 * sum : sum;
    rate *= 0.95;
  }
  cudaFree(d);
  return total;
}

double in_a_branch(const double *x, double rate, int n, int steps) {
  double *d, total = 0;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  if (steps > 2) {
    double held[8];
    cudaMemcpy(held, d, sizeof held, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) total += held[i] * held[i] * rate;
  }
  for (int t = 0; t < steps; ++t) {
    grow<<<1, 32>>>(d, rate, n);
    if (t % 2) {
      double held[8];
      cudaMemcpy(held, d + t, sizeof held, cudaMemcpyDeviceToHost);
      for (int i = 0; i < 8; ++i) total += held[i] * held[i] * held[i];
    }
  }
  cudaFree(d);
  return total;
}

// What is not copied is zero in every iteration, and what the host adds is gone with the iteration.
double partly_copied(const double *x, double rate, int n, int steps) {
  double *d, total = 0;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    double held[8] = {};
    for (int round = 0; round < 2; ++round) {
      grow<<<1, 32>>>(d, rate, n);
      cudaMemcpy(held + 2 * round, d + t, 3 * sizeof(double), cudaMemcpyDeviceToHost);
      held[7] += held[2 * round] * rate;
    }
    for (int i = 0; i < 8; ++i) total += held[i] * held[i];
  }
  cudaFree(d);
  return total;
}

// There and back: what the host computes in an array of the iteration goes back to the device.
void back_to_the_device(double *x, double rate, int n, int steps) {
  double *d;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    grow<<<1, 32>>>(d, rate, n);
    double held[4];
    cudaMemcpy(held, d + t, sizeof held, cudaMemcpyDeviceToHost);
    for (int i = 1; i < 4; ++i) held[i] = held[i] * held[i - 1] + rate;
    cudaMemcpy(d + t, held, sizeof held, cudaMemcpyHostToDevice);
  }
  cudaMemcpy(x, d, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d);
}
