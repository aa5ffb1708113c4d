// Kernels and functions that are named by tables, objects and parameters.
#include <cuda_runtime.h>

__global__ void square(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
__global__ void cube(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] * x[threadIdx.x]; }
__global__ void damp(const double *x, double *y) { y[threadIdx.x] = 0.5 * x[threadIdx.x]; }

typedef void (*Kernel)(const double *, double *);
struct Kernels {
  Kernel first, second;
};
static const Kernel KERNELS[] = {square, cube, damp};
static double twice(double x) { return 2 * x; }
static double halved(double x) { return x * x / 2; }

void by_table(const double *x, double *y, int n) {
  void (*table[2])(const double *, double *) = {cube, &square};
  table[1]<<<1, n>>>(x, y);
}

void by_index(const double *x, double *y, int n, int which) { KERNELS[which]<<<1, n>>>(x, y); }

void in_turn(const double *x, double *y, int n) {
  double *s;
  cudaMalloc(&s, n * sizeof(double));
  for (int i = 0; i < 3; ++i) {
    KERNELS[2 - i]<<<1, n>>>(x, s);
    square<<<1, n>>>(s, y);
    KERNELS[1]<<<1, n>>>(y, s);
  }
  cudaMemcpy(y, s, n * sizeof(double), cudaMemcpyDeviceToDevice);
  cudaFree(s);
}

void by_member(const double *x, double *y, int n) {
  const Kernels kernels = {damp, cube};
  kernels.second<<<1, n>>>(x, y);
}

static void launched(Kernel kernel, const double *x, double *y, int n) { kernel<<<1, n>>>(x, y); }
void by_parameter(const double *x, double *y, int n) { launched(cube, x, y, n); }

double on_host(const double *x, int n) {
  static double (*const functions[])(double) = {twice, halved};
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += functions[i % 2](x[i]) * functions[1](x[0]);
  return sum;
}
