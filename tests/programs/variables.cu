// Variables of the device's that host code and kernels pass numbers through.
#include <cuda_runtime.h>

__device__ double total;
__device__ double state[64];
__constant__ double weights[3];
__constant__ int shift;
struct Rates {
  double growth, loss;
};
__constant__ Rates rates;
__device__ double table[2][32];

__global__ void add_squares(const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&total, x[i] * x[i]);
}
__global__ void smooth(double *_d_weights, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = weights[1] * x[(i + shift) % n];
  if (i > 0) sum += weights[0] * x[i - 1];
  if (i + 1 < n) sum += weights[2] * x[i + 1] * x[i];
  _d_weights[i] = sum;
}
__global__ void begin(const double *x, int n) {
  int i = threadIdx.x;
  if (i < n) state[i] = x[i] * weights[i % 3];
}
__global__ void step(int n) {
  int i = threadIdx.x;
  if (i < n) state[i] = state[i] * (1 + rates.growth) - rates.loss * state[i] * state[i];
}
__global__ void look_up(double *y, const double *x, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = table[i % 2][i] * x[i];
}
__global__ void fill_table(const double *x) { table[blockIdx.x][threadIdx.x] = x[threadIdx.x] * (blockIdx.x + 1); }

// A sum in a variable, set to zero before each.
double sums(const double *x, int n, int times) {
  double *d, result = 0;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < times; ++t) {
    const double zero = 0;
    double sum;
    cudaMemcpyToSymbol(total, &zero, sizeof(double));
    add_squares<<<(n + 15) / 16, 16>>>(d, n - t);
    cudaMemcpyFromSymbol(&sum, total, sizeof(double));
    result += sum * sum;
  }
  cudaFree(d);
  return result;
}

// Coefficients in constant memory, which depend on what is differentiated.
void filter(double *out, const double *x, const double *w, double scale, int n) {
  double scaled[3] = {w[0] * scale, w[1], w[2] * scale * scale};
  int by = 2;
  cudaMemcpyToSymbol(weights, scaled, sizeof scaled);
  cudaMemcpyToSymbol(shift, &by, sizeof(int));
  double *in, *y;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaMemcpy(in, x, n * sizeof(double), cudaMemcpyHostToDevice);
  smooth<<<(n + 15) / 16, 16>>>(y, in, n);
  // others, from the second on
  cudaMemcpyToSymbol(weights, w, 2 * sizeof(double), sizeof(double));
  smooth<<<(n + 15) / 16, 16>>>(in, y, n);
  cudaMemcpy(out, in, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(y);
}

// A state that stays on the device from launch to launch, and parameters in an object.
double evolve(const double *x, const double *w, double growth, double loss, int n, int steps) {
  cudaMemcpyToSymbol(weights, w, 3 * sizeof(double));
  double *d;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  begin<<<1, 64>>>(d, n);
  for (int t = 0; t < steps; ++t) {
    Rates now = {growth / (t + 1), loss};
    cudaMemcpyToSymbol(rates, &now, sizeof now);
    step<<<1, 64>>>(n);
  }
  double *at, host[64], sum = 0;
  cudaGetSymbolAddress((void **)&at, state);
  cudaMemcpy(host, at + 1, (n - 1) * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n - 1; ++i) sum += host[i] * host[i];
  cudaFree(d);
  return sum;
}

// Rows of a table that a kernel fills.
double tables(const double *x, int n) {
  double *d, *y, host[32], sum = 0;
  cudaMalloc(&d, 32 * sizeof(double));
  cudaMalloc(&y, 32 * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  fill_table<<<2, n>>>(d);
  look_up<<<1, 32>>>(y, d, n);
  cudaMemcpy(host, y, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i];
  cudaFree(d);
  cudaFree(y);
  return sum;
}

// What the caller has set, and asks for.
double weighted(const double *x, int n) {
  double *in, *y, *host = new double[n], sum = 0;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaMemcpy(in, x, n * sizeof(double), cudaMemcpyHostToDevice);
  smooth<<<(n + 15) / 16, 16>>>(y, in, n);
  smooth<<<(n + 15) / 16, 16>>>(in, y, n);
  cudaMemcpy(host, in, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i];
  delete[] host;
  cudaFree(in);
  cudaFree(y);
  return sum;
}

// No kernel uses it.
__device__ double parked[8];
double echoed(const double *x, int n) {
  double back[8], sum = 0;
  cudaMemcpyToSymbol(parked, x, n * sizeof(double));
  cudaMemcpyFromSymbol(back, parked, (n - 1) * sizeof(double), sizeof(double));
  for (int i = 0; i < n - 1; ++i) sum += back[i] * back[i];
  return sum;
}
