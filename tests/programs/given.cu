// What launches are given: objects of pointers of which some lead to memory without a derivative, memory that is
// chosen at run time and given twice, numbers in float that the host computes.
#include <cuda_runtime.h>
#include <cmath>
#include <utility>

struct Fields {
  double *y;
  const double *x, *w;
  int n;
};
__global__ void blend(Fields f, double rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= f.n) return;
  f.y[i] += rate * f.y[i] * f.w[i] + f.x[i] * f.w[i];
}

// In the first launch nothing comes of y, in the second nothing depends on the input but w.
double partly(const double *in, double rate, int n) {
  double *a, *b, *c, host[64], total = 0;
  size_t bytes = n * sizeof(double);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, in, bytes, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, bytes);
  cudaMemset(c, 0, bytes);
  blend<<<1, 64>>>(Fields{c, a, a, n}, rate);
  Fields f = {b, c, a, n};
  blend<<<1, 64>>>(f, 0.5);
  f.n /= 2;
  f.x = b;
  f.y = c;
  blend<<<1, 64>>>(f, rate);
  cudaMemcpy(host, b, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) total += host[i] * host[i];
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return total;
}

__global__ void scaled(double *out, const double *in, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * (1 + rate * in[i]);
}

// After an odd number of steps `now` is the other buffer.
void twice(double *out, const double *in, double rate, int n, int steps) {
  double *now, *next;
  cudaMalloc(&now, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMemcpy(now, in, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    scaled<<<1, 64>>>(next, now, rate, n);
    std::swap(now, next);
    scaled<<<1, 64>>>(now, now, rate, n);
  }
  scaled<<<1, 64>>>(now, now, rate, n);
  Fields f = {now, now, now, n};
  blend<<<1, 64>>>(f, rate);
  cudaMemcpy(out, now, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
}

// sin, exp and pow of floats are computed in float, as nvcc has it.
double in_float(const float *in, int n) {
  float host[64];
  for (int i = 0; i < n; ++i) host[i] = sin(in[i]) * exp(-in[i]) + pow(in[i] + 2, 0.5f);
  double total = 0;
  for (int i = 0; i < n; ++i) total += tanh(host[i]) * abs(host[i] - 1);
  return total;
}

// Memory that is only read, by two parameters.
namespace {
__global__ void product(double *out, const double *a, const double *b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sin(a[i]) * b[(i + 1) % n];
}
struct Both {
    const double *a, *b;
};
__global__ void of_object(double *out, Both both, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += both.a[i] * both.b[n - 1 - i] + both.b[i];
}
}  // namespace

void read_twice(double *out, const double *in, const double *other, int n) {
    product<<<(n + 31) / 32, 32>>>(out, in, in, n);
    of_object<<<(n + 31) / 32, 32>>>(out, Both{in, in}, n);
    of_object<<<(n + 31) / 32, 32>>>(out, Both{other, in}, n);
    product<<<(n + 31) / 32, 32>>>(out + n, in, in + 1, n - 1);
}
