// A thread's own copies to shared memory, by what they mean: made at once. nvcc compiles CUDA's own header.
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "async_copies.h"

#include <cstddef>

namespace cuda {
namespace primitives { // the front end reads what is in a library's namespace

// The last `zeros` bytes are cleared.
template <class T>
__device__ inline void __pipeline_memcpy_async(T *to, const T *from, std::size_t bytes, std::size_t zeros = 0) {
  copies::made(to, from, bytes - zeros);
  for (unsigned k = (bytes - zeros) / sizeof(T); k < bytes / sizeof(T); ++k) to[k] = T{};
}
__device__ inline void __pipeline_commit() {}
__device__ inline void __pipeline_wait_prior(std::size_t) {}

}  // namespace primitives
}  // namespace cuda
using namespace cuda::primitives;

#endif
