// Pairs of numbers of sixteen bits that lanes of a warp read from each other.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T>
__global__ void pairs_summed(const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = __hmul2(x[i], x[i]);
  for (int step = 16; step > 0; step /= 2) v = __hadd2(v, __shfl_xor_sync(0xffffffffu, v, step));
  y[i] = __hmul2(v, __shfl_up_sync(0xffffffffu, x[i], 2, 16));
}
