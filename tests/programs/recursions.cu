// Host functions that launch, and call themselves.
#include <cuda_runtime.h>

__global__ void halves(double *out, const double *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (n + 1) / 2) out[i] = in[2 * i] + (2 * i + 1 < n ? in[2 * i + 1] * in[2 * i] : 0);
}
__global__ void relax(double *u, const double *f, double omega, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i + 1 < n) u[i] += omega * (f[i] - u[i] * u[i]);
}
__global__ void restrict_to(double *coarse, const double *fine, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) coarse[i] = 0.5 * fine[2 * i] + 0.25 * fine[2 * i + 1];
}
__global__ void prolong(double *fine, const double *coarse, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) fine[i] += coarse[i / 2] * 0.3;
}

// A reduction that calls itself for what is left.
static double reduced(const double *in, int n) {
  if (n == 1) {
    double result;
    cudaMemcpy(&result, in, sizeof(double), cudaMemcpyDeviceToHost);
    return result;
  }
  int half = (n + 1) / 2;
  double *out;
  cudaMalloc(&out, half * sizeof(double));
  halves<<<(half + 15) / 16, 16>>>(out, in, n);
  double result = reduced(out, half);
  cudaFree(out);
  return result;
}
double reduce(const double *x, int n) {
  double *d;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  double result = reduced(d, n);
  cudaFree(d);
  return result * result;
}

// A cycle over grids, in place.
static void cycle(double *u, double *f, double omega, int n) {
  for (int s = 0; s < 2; ++s) relax<<<(n + 15) / 16, 16>>>(u, f, omega, n);
  if (n <= 4) return;
  int m = n / 2;
  double *coarse_u, *coarse_f;
  cudaMalloc(&coarse_u, m * sizeof(double));
  cudaMalloc(&coarse_f, m * sizeof(double));
  restrict_to<<<(m + 15) / 16, 16>>>(coarse_f, f, m);
  restrict_to<<<(m + 15) / 16, 16>>>(coarse_u, u, m);
  cycle(coarse_u, coarse_f, omega * 0.9, m);
  prolong<<<(n + 15) / 16, 16>>>(u, coarse_u, n);
  relax<<<(n + 15) / 16, 16>>>(u, f, omega, n);
  cudaFree(coarse_u);
  cudaFree(coarse_f);
}
void multigrid(double *u, const double *f, double omega, int n, int cycles) {
  double *d_u, *d_f;
  cudaMalloc(&d_u, n * sizeof(double));
  cudaMalloc(&d_f, n * sizeof(double));
  cudaMemcpy(d_u, u, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(d_f, f, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int c = 0; c < cycles; ++c) cycle(d_u, d_f, omega, n);
  cudaMemcpy(u, d_u, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d_u);
  cudaFree(d_f);
}

// Two calls at each level.
static void both_sides(double *x, double a, int n) {
  if (n < 2) return;
  relax<<<1, 32>>>(x, x + n / 2, a, n / 2);
  both_sides(x, a * 0.5, n / 2);
  both_sides(x + n / 2, a, n / 2);
}
double twice(const double *x, double a, int n) {
  double *d, host[64], sum = 0;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  both_sides(d, a, n);
  cudaMemcpy(host, d, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i] * host[i];
  cudaFree(d);
  return sum;
}
