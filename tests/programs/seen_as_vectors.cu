// Arrays of numbers that kernels are given as arrays of vectors, and of classes of the program's own.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

struct Cell {
  double mass, at[3];
};

__global__ void scale(const double2 *x, double2 *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = make_double2(x[i].x * x[i].y, y[i].x * x[i].x * x[i].x);
}

__global__ void pull(Cell *cells, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) cells[i].mass *= cells[i].at[0] + cells[i].at[2] * cells[i].mass;
}

// The caller's memory, and memory of one's own, of which one half is read, the other written.
double of_both(const double *in, double *out, int n) {
  double *x, last[2];
  cudaMalloc(&x, 2 * n * sizeof(double));
  cudaMemcpy(x, in, 2 * n * sizeof(double), cudaMemcpyHostToDevice);
  scale<<<1, 32>>>((const double2 *)in, reinterpret_cast<double2 *>(out), n);
  scale<<<1, 32>>>((double2 *)(x + n), (double2 *)x, n / 2);
  pull<<<1, 32>>>((Cell *)x, n / 2);
  cudaMemcpy(last, x + 2, sizeof(last), cudaMemcpyDeviceToHost);
  cudaFree(x);
  return last[0] * last[1];
}

// Two buffers in turn.
void in_turn(double *out, const double *in, int n, int steps) {
  double *from, *to;
  cudaMalloc(&from, 2 * n * sizeof(double));
  cudaMalloc(&to, 2 * n * sizeof(double));
  cudaMemcpy(from, in, 2 * n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(to, in, 2 * n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    scale<<<1, 32>>>((double2 *)from, (double2 *)to, n);
    double *other = from;
    from = to;
    to = other;
  }
  cudaMemcpy(out, from, 2 * n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(from);
  cudaFree(to);
}

__global__ void products(const half2 *x, const half2 *w, float *y, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const float2 both = __half22float2(__hmul2(x[i], w[i]));
  y[i] += both.x * both.y;
}
void of_halves(const half *x, half *w, float *y, int n) { products<<<1, 32>>>((half2 *)x, (half2 *)(w + 2), y, n); }

// Copies and fills through a pointer to vectors.
double copied(const double *in, int n) {
  double *x, some[4];
  cudaMalloc(&x, 2 * n * sizeof(double));
  double2 *pairs = (double2 *)x;
  cudaMemcpy(pairs, in, 2 * n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(pairs + 2, 0, sizeof(double2));
  scale<<<1, 32>>>(pairs + 1, pairs, 1);
  cudaMemcpy(some, pairs, sizeof(some), cudaMemcpyDeviceToHost);
  cudaFree(x);
  return some[0] * some[1] + some[2] * some[3];
}
