// Passes over the same data with a launch for each stage: Fourier, sorting, lifting.
#include <cuda_runtime.h>
#include <cmath>

__global__ void reorder(double2 *out, const double2 *in, int bits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int to = 0;
  for (int b = 0; b < bits; ++b) to |= (i >> b & 1) << (bits - 1 - b);
  out[to] = in[i];
}
__global__ void butterfly(double2 *x, int half, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  int k = i % half, at = i / half * 2 * half + k;
  double angle = -3.14159265358979323846 * k / half, c = cos(angle), s = sin(angle);
  double2 a = x[at], b = x[at + half];
  double2 turned = make_double2(b.x * c - b.y * s, b.x * s + b.y * c);
  x[at] = make_double2(a.x + turned.x, a.y + turned.y);
  x[at + half] = make_double2(a.x - turned.x, a.y - turned.y);
}
__global__ void powers(double *p, const double2 *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = x[i].x * x[i].x + x[i].y * x[i].y;
}

void spectrum(double *out, const double2 *in, int bits) {
  const int n = 1 << bits;
  double2 *x, *y;
  double *p;
  cudaMalloc(&x, n * sizeof(double2));
  cudaMalloc(&y, n * sizeof(double2));
  cudaMalloc(&p, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double2), cudaMemcpyHostToDevice);
  reorder<<<(n + 7) / 8, 8>>>(y, x, bits, n);
  for (int half = 1; half < n; half <<= 1) butterfly<<<(n / 2 + 7) / 8, 8>>>(y, half, n);
  powers<<<(n + 7) / 8, 8>>>(p, y, n);
  cudaMemcpy(out, p, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  cudaFree(p);
}

// A sorting network on values; derivatives follow them to their places.
__global__ void compare(double *x, int j, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int other = i ^ j;
  if (i >= n || other <= i) return;
  bool up = (i & k) == 0;
  if ((x[i] > x[other]) == up) {
    double held = x[i];
    x[i] = x[other];
    x[other] = held;
  }
}
double weighted_ranks(const double *in, int n) {
  double *x, host[64], sum = 0;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) compare<<<(n + 7) / 8, 8>>>(x, j, k, n);
  cudaMemcpy(host, x, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += (i + 1) * host[i] * host[i];
  cudaFree(x);
  return sum;
}
