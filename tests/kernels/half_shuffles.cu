// Numbers of sixteen bits that lanes of a warp read from each other: adjoints go back as floats. And doubles that they read
// by halves of 32 bits, which are shuffles of the double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T>
__global__ void shuffled(const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = x[i];
  v = v * v + __shfl_down_sync(0xffffffffu, v, 1);
  y[i] = v * __shfl_xor_sync(0xffffffffu, v, 4, 8);
}

__device__ double turned(double v, int lane) {
  return __hiloint2double(__shfl_sync(~0u, __double2hiint(v), lane), __shfl_sync(~0u, __double2loint(v), lane));
}

__device__ double down(double v, int by) {
  int lo = __double2loint(v), hi = __double2hiint(v);
  lo = __shfl_down_sync(0xffffffffu, lo, by, 16);
  hi = __shfl_down_sync(0xffffffffu, hi, by, 16);
  return __hiloint2double(hi, lo);
}

__global__ void circle(const double *x, double *y, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i] * x[i];
  if (by > 0) y[i] = v * turned(v, (i + by) % 32);
}

__global__ void half_sums(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i] * x[i];
  for (int by = 8; by > 0; by /= 2) v += down(v, by);
  if (i % 16 == 0) y[i / 16] = v;
}
