// What gradients that are written by hand are launched with, by nvcc or on the host backend.
#ifndef CLADPY_BENCHMARKS_BY_HAND_H
#define CLADPY_BENCHMARKS_BY_HAND_H
#ifndef CLADPY_HOST_H
#include <cuda_runtime.h>
#endif
#include <cstddef>
#include <utility>

// The launch of the primal.
struct at {
  dim3 grid, block;
  size_t shared_mem;
  cudaStream_t stream;
};

// LAUNCH(at, kernel, arguments...) or LAUNCH_AS(at, grid, block, shared, kernel, arguments...); a template's name stands
// in parentheses.
#ifdef CLADPY_HOST_H
#define LAUNCH_AS(where, grid, block, shared, kernel, ...) \
  (void)cladpy::host::launch(grid, block, shared, (where).stream, [&] { kernel(__VA_ARGS__); })
#else
#define LAUNCH_AS(where, grid, block, shared, kernel, ...) \
  kernel<<<grid, block, shared, (where).stream>>>(__VA_ARGS__)
#endif
#define LAUNCH(where, kernel, ...) \
  LAUNCH_AS(where, (where).grid, (where).block, (where).shared_mem, kernel, __VA_ARGS__)

// Memory for partial sums and the like, which stays from call to call and grows.
template <int Which = 0>
inline void *scratch(size_t bytes) {
  static void *memory = nullptr;
  static size_t size = 0;
  if (bytes > size) {
    (void)cudaFree(memory);
    size = cudaMalloc(&memory, bytes) == cudaSuccess ? bytes : 0;
  }
  return memory;
}

// An adjoint gets a new value: `=`, or `+=`.
template <bool Fresh, class T>
__device__ __forceinline__ void give(T &adjoint, T value) {
  adjoint = Fresh ? value : adjoint + value;
}

// Where adjoints are added to, a cotangent is zeroed when it has been used, as a general gradient does. Not as soon as it is
// read: on an H200 a store right behind the load of its element was seen to make kernels several times slower.
template <bool Fresh, class T>
__device__ __forceinline__ void spend(T &cotangent) {
  if (!Fresh) cotangent = T{};
}

template <class T>
__device__ __forceinline__ T warp_sum(T value) {
  for (int lane = 16; lane > 0; lane >>= 1) value += __shfl_xor_sync(0xffffffffu, value, lane);
  return value;
}

// The sum over a block of whole warps, for all of its threads; `Which` tells apart sums that follow each other.
template <class T>
__device__ __forceinline__ T block_sum(T value) {
  __shared__ T parts[32];
  const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
  value = warp_sum(value);
  __syncthreads();
  if (t % 32 == 0) parts[t / 32] = value;
  __syncthreads();
  T sum = t % 32 < warps ? parts[t % 32] : T(0);
  return warp_sum(sum);
}

namespace benchmarks {

struct launch_record {
  unsigned int grid[3], block[3];
  unsigned long long shared_mem;
  void *stream;
};

template <class... A, size_t... I>
int call(void (*run)(const at &, A...), const launch_record *from, void **args, std::index_sequence<I...>) {
  (void)cudaGetLastError();
  const at where{dim3(from->grid[0], from->grid[1], from->grid[2]), dim3(from->block[0], from->block[1], from->block[2]),
                 static_cast<size_t>(from->shared_mem), static_cast<cudaStream_t>(from->stream)};
  run(where, *static_cast<A *>(args[I])...);
  return static_cast<int>(cudaGetLastError());
}

template <class... A>
int call(void (*run)(const at &, A...), const launch_record *from, void **args) {
  return call(run, from, args, std::index_sequence_for<A...>());
}

}  // namespace benchmarks
#endif
