// Monte Carlo: random numbers that a kernel makes itself, and such that the host makes.
#include <cuda_runtime.h>
#include <cmath>

__device__ unsigned next_random(unsigned &state) {
  state = state * 1664525u + 1013904223u;
  return state;
}
__device__ double uniform(unsigned &state) { return (next_random(state) >> 8) * (1.0 / 16777216.0) + 1e-9; }
__device__ double normal(unsigned &state) {
  double a = uniform(state), b = uniform(state);
  return sqrt(-2 * log(a)) * cos(6.283185307179586 * b);
}

// Paths of a price; the payoff of an average, which is smooth except at the strike.
__global__ void paths(double *payoffs, double spot, double rate, double sigma, double strike, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned state = 12345u + 7919u * i;
  double price = spot, sum = 0, dt = 1.0 / steps;
  for (int t = 0; t < steps; ++t) {
    price *= exp((rate - 0.5 * sigma * sigma) * dt + sigma * sqrt(dt) * normal(state));
    sum += price;
  }
  double gain = sum / steps - strike;
  payoffs[i] = gain > 0 ? gain * exp(-rate) : 0.0;
}
double asian_option(double spot, double rate, double sigma, double strike, int steps, int n) {
  double *payoffs, host[128], sum = 0;
  cudaMalloc(&payoffs, n * sizeof(double));
  paths<<<(n + 31) / 32, 32>>>(payoffs, spot, rate, sigma, strike, steps, n);
  cudaMemcpy(host, payoffs, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i];
  cudaFree(payoffs);
  return sum / n;
}

// A walk of particles in batches, with numbers from the host.
__global__ void walk(double *x, const double *noise, double drift, double width, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] = x[i] + drift * sin(x[i]) + width * noise[i];
}
double diffusion(double drift, double width, int n, int steps) {
  double *x, *noise, host[32];
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&noise, n * sizeof(double));
  cudaMemset(x, 0, n * sizeof(double));
  unsigned state = 99;
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i) {
      state = state * 1664525u + 1013904223u;
      host[i] = (state >> 8) / 16777216.0 - 0.5;
    }
    cudaMemcpy(noise, host, n * sizeof(double), cudaMemcpyHostToDevice);
    walk<<<1, 32>>>(x, noise, drift, width, n);
  }
  cudaMemcpy(host, x, n * sizeof(double), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += host[i] * host[i];
  cudaFree(x);
  cudaFree(noise);
  return sum / n;
}
