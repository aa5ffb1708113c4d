// Memory that is moved within itself, on the host and by the runtime.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstring>

__global__ void square(double *out, const double *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i] * (i + 1);
}

static void squares_of(double *out, const double *host, int n) {
  double *x;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, host, n * sizeof(double), cudaMemcpyHostToDevice);
  square<<<(n + 31) / 32, 32>>>(x, x, n);
  cudaMemcpy(out, x, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
}

// To lower addresses, to higher ones, and onto itself.
void moved(double *out, const double *in, int n) {
  double h[64];
  memcpy(h, in, n * sizeof(double));
  memmove(h, h + 2, (n - 2) * sizeof(double));
  memmove(h + 1, h, (n - 1) * sizeof(double));
  memmove(h, h, n * sizeof(double));
  squares_of(out, h, n);
}

void copied_along(double *out, const double *in, int n) {
  double h[64];
  std::copy(in, in + n, h);
  std::copy(h + 3, h + n, h);
  std::copy_backward(h, h + n - 2, h + n);
  squares_of(out, h, n);
}

void rotated(double *out, const double *in, int n) {
  double h[64];
  for (int i = 0; i < n; ++i) h[i] = in[i];
  std::rotate(h, h + 3, h + n);
  std::swap_ranges(h, h + n / 2, h + (n + 1) / 2);
  std::reverse(h, h + n / 3);
  squares_of(out, h, n);
}

// Columns of a matrix that lies in rows: source and target are interleaved.
void columns(double *out, const double *in, int width, int rows) {
  double h[64];
  memcpy(h, in, width * rows * sizeof(double));
  size_t pitch = width * sizeof(double);
  cudaMemcpy2D(h, pitch, h + 2, pitch, sizeof(double), rows, cudaMemcpyHostToHost);
  double *x;
  cudaMalloc(&x, width * rows * sizeof(double));
  cudaMemcpy(x, h, width * rows * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy2D(x + 1, pitch, x, pitch, sizeof(double), rows, cudaMemcpyDeviceToDevice);
  square<<<1, 64>>>(x, x, width * rows);
  cudaMemcpy(out, x, width * rows * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
}
