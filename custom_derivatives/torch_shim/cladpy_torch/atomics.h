// Additions that threads make together.
#ifndef CLADPY_TORCH_ATOMICS_H
#define CLADPY_TORCH_ATOMICS_H

#include <cuda_runtime.h>

namespace at {
template <class T> __device__ inline T gpuAtomicAdd(T *address, T value) { return atomicAdd(address, value); }
template <class T> __device__ inline void gpuAtomicAddNoReturn(T *address, T value) { atomicAdd(address, value); }
}  // namespace at
using at::gpuAtomicAdd;
using at::gpuAtomicAddNoReturn;

#endif  // CLADPY_TORCH_ATOMICS_H
