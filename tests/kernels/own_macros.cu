// Macros of the user's that are words of emitted code, and of cladpy's headers.
#include <cuda_runtime.h>

#include <cmath>

#define size 40
#define grid 2
#define block and
#define stream (
#define rows )
#define at
#define N 3
#define T +
#define value 0.5
#define push(x, y, z) nothing
#define blocks error
#define _block wrong
#define _grid
#define x0 1.5
#define Storage 7
#define SQUARED(x) ((x) * (x))

__global__ void square(double *y, const double *x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = SQUARED(x[i]) * x0;
}
__global__ void steps(double *y, const double *x, double a, int n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < count; ++k) s = sin(s * a) + value * x[(i + k) % N];
  y[i] = s;
}
