// Loops over a policy: each is read as a kernel, of which a thread is an iteration.
#pragma once

#include <cladpy_kokkos/policies.h>

namespace Kokkos {
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
template <class Space, class Tag, class F>
__global__ void for_range_2d(long first0, long last0, long first1, long last1, const F functor) {
  const long i = first0 + long(blockIdx.x) * long(blockDim.x) + long(threadIdx.x);
  const long j = first1 + long(blockIdx.y) * long(blockDim.y) + long(threadIdx.y);
  if (i < last0 && j < last1) apply<Tag>(functor, i, j);
}
template <class Space, class Tag, class F>
__global__ void for_range_3d(long first0, long last0, long first1, long last1, long first2, long last2, const F functor) {
  const long i = first0 + long(blockIdx.x) * long(blockDim.x) + long(threadIdx.x);
  const long j = first1 + long(blockIdx.y) * long(blockDim.y) + long(threadIdx.y);
  const long k = first2 + long(blockIdx.z) * long(blockDim.z) + long(threadIdx.z);
  if (i < last0 && j < last1 && k < last2) apply<Tag>(functor, i, j, k);
}

// A loop over four to six indices is one over two or three, each of which stands for two of them, or for the last one.
template <class Tag, int rank, class F>
struct folding {
  F functor;
  long begin[rank], wide[rank];
  template <int k>
  __host__ __device__ long index(long at) const {
    if constexpr (k % 2 == 1) return begin[k] + at % wide[k];
    else if constexpr (k + 1 < rank) return begin[k] + at / wide[k + 1];
    else return begin[k] + at;
  }
  template <class... Given>
  __host__ __device__ void operator()(long a, long b, Given &...given) const {
    apply<Tag>(functor, index<0>(a), index<1>(a), index<2>(b), index<3>(b), given...);
  }
  template <class... Given>
  __host__ __device__ void operator()(long a, long b, long c, Given &...given) const {
    if constexpr (rank == 5) apply<Tag>(functor, index<0>(a), index<1>(a), index<2>(b), index<3>(b), index<4>(c), given...);
    else apply<Tag>(functor, index<0>(a), index<1>(a), index<2>(b), index<3>(b), index<4>(c), index<5>(c), given...);
  }
};
template <class Tag, class... Props, class F>
inline auto fold(const MDRangePolicy<Props...> &policy, const F &functor) {
  constexpr int rank = MDRangePolicy<Props...>::rank;
  folding<Tag, rank, F> made{functor, {}, {}};
  for (int k = 0; k < rank; ++k) {
    made.begin[k] = policy.begin_[k];
    made.wide[k] = policy.end_[k] > policy.begin_[k] ? policy.end_[k] - policy.begin_[k] : 0;
  }
  return made;
}
template <class... Props>
inline auto folded(const MDRangePolicy<Props...> &policy) {
  using policy_type = MDRangePolicy<Props...>;
  constexpr int rank = policy_type::rank;
  long wide[6] = {1, 1, 1, 1, 1, 1};
  for (int k = 0; k < rank; ++k) wide[k] = policy.end_[k] > policy.begin_[k] ? policy.end_[k] - policy.begin_[k] : 0;
  if constexpr (rank == 4) return MDRangePolicy<typename policy_type::execution_space, Rank<2>>({0, 0}, {wide[0] * wide[1], wide[2] * wide[3]});
  else return MDRangePolicy<typename policy_type::execution_space, Rank<3>>({0, 0, 0}, {wide[0] * wide[1], wide[2] * wide[3], wide[4] * wide[5]});
}

// Blocks of 128 threads, or of one where there are several indices. For Kokkos the loop's own policy says how it runs.
#ifdef CLADPY_FOR_KOKKOS
inline dim3 blocks_of(long) { return dim3(1); }
inline dim3 blocks_of(long, long, long = 1) { return dim3(1); }
#else
inline dim3 blocks_of(long count) { return dim3(count > 0 ? unsigned((count + 127) / 128) : 1); }
inline unsigned some_of(long count) { return count > 0 ? unsigned(count) : 1; }
inline dim3 blocks_of(long m, long n, long k = 1) { return dim3(some_of(m), some_of(n), some_of(k)); }
#endif

}  // namespace cladpy_kokkos

template <class... Props, class F>
inline void parallel_for(const RangePolicy<Props...> &policy, const F &functor) {
  using policy_type = RangePolicy<Props...>;
  cladpy_kokkos::for_range<typename policy_type::execution_space, typename policy_type::work_tag, F>
      <<<cladpy_kokkos::blocks_of(policy.end_ - policy.begin_), dim3(128)>>>(policy.begin_, policy.end_, functor);
}
template <class... Props, class F>
inline void parallel_for(const MDRangePolicy<Props...> &policy, const F &functor) {
  using policy_type = MDRangePolicy<Props...>;
  using space = typename policy_type::execution_space;
  using tag = typename policy_type::work_tag;
  static_assert(policy_type::rank >= 2 && policy_type::rank <= 6, "Kokkos: loops are over one to six indices");
  const long *const begin = policy.begin_, *const end = policy.end_;
  if constexpr (policy_type::rank > 3)
    parallel_for(cladpy_kokkos::folded(policy), cladpy_kokkos::fold<tag>(policy, functor));
  else if constexpr (policy_type::rank == 2)
    cladpy_kokkos::for_range_2d<space, tag, F>
        <<<cladpy_kokkos::blocks_of(end[0] - begin[0], end[1] - begin[1]), 1>>>(begin[0], end[0], begin[1], end[1], functor);
  else
    cladpy_kokkos::for_range_3d<space, tag, F>
        <<<cladpy_kokkos::blocks_of(end[0] - begin[0], end[1] - begin[1], end[2] - begin[2]), 1>>>(begin[0], end[0], begin[1], end[1], begin[2], end[2], functor);
}
template <class I, class F, class = std::enable_if_t<std::is_integral_v<I>>>
inline void parallel_for(I count, const F &functor) {
  parallel_for(RangePolicy<>(0, count), functor);
}
template <class Policy, class F>
inline void parallel_for(const cladpy_kokkos::label &, const Policy &policy, const F &functor) {
  parallel_for(policy, functor);
}

inline void fence() {}
inline void fence(const cladpy_kokkos::label &) {}

}  // namespace Kokkos
