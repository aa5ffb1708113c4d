// Numbers of sixteen bits that lanes of a warp read from each other: adjoints go back as floats.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T>
__global__ void shuffled(const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = x[i];
  v = v * v + __shfl_down_sync(0xffffffffu, v, 1);
  y[i] = v * __shfl_xor_sync(0xffffffffu, v, 4, 8);
}
