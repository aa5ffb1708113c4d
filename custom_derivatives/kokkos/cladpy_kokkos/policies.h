// Policies, and the loops over them: each is read as a kernel, of which a thread is an iteration.
#pragma once

#include <cladpy_kokkos/view.h>

#include <cstdint>

#define KOKKOS_FUNCTION __host__ __device__
#define KOKKOS_INLINE_FUNCTION __host__ __device__ inline
#define KOKKOS_FORCEINLINE_FUNCTION __host__ __device__ inline
#define KOKKOS_LAMBDA [=] __host__ __device__
#define KOKKOS_CLASS_LAMBDA [ =, *this ] __host__ __device__
#define KOKKOS_DEDUCTION_GUIDE __host__ __device__
#define KOKKOS_INLINE_FUNCTION_DELETED __host__ __device__ inline
#define KOKKOS_DEFAULTED_FUNCTION __host__ __device__ inline

namespace Kokkos {

template <class... Props>
struct RangePolicy {
  using execution_space = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::execution, DefaultExecutionSpace, Props...>::type;
  using work_tag = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::tag, void, Props...>::type;
  using index_type = std::int64_t;
  using member_type = std::int64_t;
  long begin_, end_;
  RangePolicy() : begin_(0), end_(0) {}
  RangePolicy(long begin, long end) : begin_(begin), end_(end) {}
  RangePolicy(const execution_space &, long begin, long end) : begin_(begin), end_(end) {}
  long begin() const { return begin_; }
  long end() const { return end_; }
};

namespace cladpy_kokkos {

template <class Tag, class F, class... Given>
__host__ __device__ inline void apply(const F &functor, Given &&...given) {
  if constexpr (std::is_void_v<Tag>) functor(given...);
  else functor(Tag(), given...);
}

// The functor of each iteration of a range.
template <class Space, class Tag, class F>
__global__ void for_range(long first, long last, const F functor) {
  const long i = first + long(blockIdx.x) * long(blockDim.x) + long(threadIdx.x);
  if (i < last) apply<Tag>(functor, i);
}

// What the iterations add, to a number that is zero.
template <class Space, class Tag, class F, class T>
__global__ void sum_range(long first, long last, const F functor, T *total) {
  const long i = first + long(blockIdx.x) * long(blockDim.x) + long(threadIdx.x);
  if (i < last) {
    T mine = T(0);
    apply<Tag>(functor, i, mine);
    atomicAdd(total, mine);
  }
}

#ifdef CLADPY_FOR_KOKKOS
inline dim3 blocks_of(long) { return dim3(1); }  // the loop's own policy says how it runs
#else
inline dim3 blocks_of(long count) { return dim3(count > 0 ? unsigned((count + 127) / 128) : 1); }
#endif

}  // namespace cladpy_kokkos

template <class... Props, class F>
inline void parallel_for(const RangePolicy<Props...> &policy, const F &functor) {
  using policy_type = RangePolicy<Props...>;
  cladpy_kokkos::for_range<typename policy_type::execution_space, typename policy_type::work_tag, F>
      <<<cladpy_kokkos::blocks_of(policy.end_ - policy.begin_), dim3(128)>>>(policy.begin_, policy.end_, functor);
}
template <class... Props, class F>
inline void parallel_for(const cladpy_kokkos::label &, const RangePolicy<Props...> &policy, const F &functor) {
  parallel_for(policy, functor);
}
template <class I, class F, class = std::enable_if_t<std::is_integral_v<I>>>
inline void parallel_for(I count, const F &functor) {
  parallel_for(RangePolicy<>(0, count), functor);
}
template <class I, class F, class = std::enable_if_t<std::is_integral_v<I>>>
inline void parallel_for(const cladpy_kokkos::label &, I count, const F &functor) {
  parallel_for(RangePolicy<>(0, count), functor);
}

template <class... Props, class F, class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
inline void parallel_reduce(const RangePolicy<Props...> &policy, const F &functor, T &result) {
  using policy_type = RangePolicy<Props...>;
  T *total;
  cudaMalloc(&total, sizeof(T));
  cudaMemset(total, 0, sizeof(T));
  cladpy_kokkos::sum_range<typename policy_type::execution_space, typename policy_type::work_tag, F, T>
      <<<cladpy_kokkos::blocks_of(policy.end_ - policy.begin_), dim3(128)>>>(policy.begin_, policy.end_, functor, total);
  cudaMemcpy(&result, total, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(total);
}
template <class... Props, class F, class T>
inline void parallel_reduce(const cladpy_kokkos::label &, const RangePolicy<Props...> &policy, const F &functor, T &result) {
  parallel_reduce(policy, functor, result);
}
template <class I, class F, class T, class = std::enable_if_t<std::is_integral_v<I>>>
inline void parallel_reduce(I count, const F &functor, T &result) {
  parallel_reduce(RangePolicy<>(0, count), functor, result);
}
template <class I, class F, class T, class = std::enable_if_t<std::is_integral_v<I>>>
inline void parallel_reduce(const cladpy_kokkos::label &, I count, const F &functor, T &result) {
  parallel_reduce(RangePolicy<>(0, count), functor, result);
}

inline void fence() {}
inline void fence(const cladpy_kokkos::label &) {}

}  // namespace Kokkos
