// What PyTorch's macros look after: conditions, and what CUDA's runtime says.
#ifndef CLADPY_TORCH_CHECKS_H
#define CLADPY_TORCH_CHECKS_H

#include <cuda_runtime.h>
#include <stdexcept>

namespace c10 {
using Error = std::runtime_error;
}

namespace cladpy_torch {
[[noreturn]] inline void failed(const char *what) { throw std::runtime_error(what); }
inline void check(cudaError_t status) {
  if (status != cudaSuccess) failed("a call of CUDA's runtime has failed");
}
}  // namespace cladpy_torch

#define TORCH_CHECK(condition, ...)                                                                                    \
  do {                                                                                                                 \
    if (!(condition)) ::cladpy_torch::failed("expected " #condition);                                                  \
  } while (false)
#define TORCH_CHECK_WITH(kind, condition, ...) TORCH_CHECK(condition)
#define TORCH_CHECK_INDEX(condition, ...) TORCH_CHECK(condition)
#define TORCH_CHECK_VALUE(condition, ...) TORCH_CHECK(condition)
#define TORCH_CHECK_TYPE(condition, ...) TORCH_CHECK(condition)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) TORCH_CHECK(condition)
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b) TORCH_CHECK((a) != (b))
#define TORCH_CHECK_LT(a, b) TORCH_CHECK((a) < (b))
#define TORCH_CHECK_LE(a, b) TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_GT(a, b) TORCH_CHECK((a) > (b))
#define TORCH_CHECK_GE(a, b) TORCH_CHECK((a) >= (b))
#define CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define CHECK_NE(a, b) TORCH_CHECK((a) != (b))
#define CHECK_LT(a, b) TORCH_CHECK((a) < (b))
#define CHECK_LE(a, b) TORCH_CHECK((a) <= (b))
#define CHECK_GT(a, b) TORCH_CHECK((a) > (b))
#define CHECK_GE(a, b) TORCH_CHECK((a) >= (b))
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...)
#define STD_TORCH_CHECK(condition, ...) TORCH_CHECK(condition)
#define AT_ASSERT(condition, ...) TORCH_CHECK(condition)
#define AT_ASSERTM(condition, ...) TORCH_CHECK(condition)
#define AT_CHECK(condition, ...) TORCH_CHECK(condition)
#define AT_ERROR(...) ::cladpy_torch::failed("AT_ERROR")
#define TORCH_WARN(...)
#define TORCH_WARN_ONCE(...)
#define AT_CUDA_CHECK(call) ::cladpy_torch::check(call)
#define C10_CUDA_CHECK(call) ::cladpy_torch::check(call)
#define THCudaCheck(call) ::cladpy_torch::check(call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ::cladpy_torch::check(cudaGetLastError())
#define STD_CUDA_KERNEL_LAUNCH_CHECK() ::cladpy_torch::check(cudaGetLastError())
#define STD_CUDA_CHECK(call) ::cladpy_torch::check(call)
#define CUDA_KERNEL_ASSERT(condition)
#define CUDA_KERNEL_LOOP_TYPE(i, n, type)                                                                              \
  for (type i = blockIdx.x * static_cast<type>(blockDim.x) + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_UNUSED [[maybe_unused]]
#define C10_RESTRICT __restrict__
#define C10_ALWAYS_INLINE inline
#define C10_LIKELY(e) (e)
#define C10_UNLIKELY(e) (e)
#define C10_WARP_SIZE 32
#define TORCH_API
#define RECORD_FUNCTION(...)
#define TORCH_CUDA_API
#define C10_EXPORT

#endif  // CLADPY_TORCH_CHECKS_H
