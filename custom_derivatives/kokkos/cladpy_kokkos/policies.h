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

enum class Iterate { Default, Left, Right };
template <unsigned rank, Iterate = Iterate::Default, Iterate = Iterate::Default>
struct Rank {
  static constexpr unsigned value = rank;
};

namespace cladpy_kokkos {

template <class... Props>
struct rank_of;
template <unsigned rank, Iterate outer, Iterate inner, class... Rest>
struct rank_of<Rank<rank, outer, inner>, Rest...> {
  static constexpr unsigned value = rank;
};
template <class First, class... Rest>
struct rank_of<First, Rest...> : rank_of<Rest...> {};
template <unsigned rank, Iterate outer, Iterate inner>
struct kind_of<Rank<rank, outer, inner>> {
  static constexpr Kind value = Kind::other;
};

}  // namespace cladpy_kokkos

template <class... Props>
struct MDRangePolicy {
  using execution_space = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::execution, DefaultExecutionSpace, Props...>::type;
  using work_tag = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::tag, void, Props...>::type;
  static constexpr unsigned rank = cladpy_kokkos::rank_of<Props...>::value;
  long begin_[rank], end_[rank];
  MDRangePolicy(const long (&begin)[rank], const long (&end)[rank]) { take(begin, end); }
  MDRangePolicy(const long (&begin)[rank], const long (&end)[rank], const long (&)[rank]) { take(begin, end); }

 private:
  void take(const long (&begin)[rank], const long (&end)[rank]) {
    for (unsigned k = 0; k < rank; ++k) {
      begin_[k] = begin[k];
      end_[k] = end[k];
    }
  }
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

// Whether a functor says itself how two results become one.
template <class F, class = void>
struct joins : std::false_type {};
template <class F>
struct joins<F, std::void_t<decltype(&F::join)>> : std::true_type {};

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
template <class Space, class Tag, class F, class T>
__global__ void sum_range_2d(long first0, long last0, long first1, long last1, const F functor, T *total) {
  const long i = first0 + long(blockIdx.x) * long(blockDim.x) + long(threadIdx.x);
  const long j = first1 + long(blockIdx.y) * long(blockDim.y) + long(threadIdx.y);
  if (i < last0 && j < last1) {
    T mine = T(0);
    apply<Tag>(functor, i, j, mine);
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
  static_assert(!cladpy_kokkos::joins<F>::value, "Kokkos: a reduction is a sum, and no functor's own join");
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

template <class... Props, class F>
inline void parallel_for(const MDRangePolicy<Props...> &policy, const F &functor) {
  using policy_type = MDRangePolicy<Props...>;
  using space = typename policy_type::execution_space;
  using tag = typename policy_type::work_tag;
  static_assert(policy_type::rank == 2 || policy_type::rank == 3, "Kokkos: loops are over one to three indices");
  const long *const begin = policy.begin_, *const end = policy.end_;
  if constexpr (policy_type::rank == 2)
    cladpy_kokkos::for_range_2d<space, tag, F><<<1, 1>>>(begin[0], end[0], begin[1], end[1], functor);
  else
    cladpy_kokkos::for_range_3d<space, tag, F><<<1, 1>>>(begin[0], end[0], begin[1], end[1], begin[2], end[2], functor);
}
template <class... Props, class F>
inline void parallel_for(const cladpy_kokkos::label &, const MDRangePolicy<Props...> &policy, const F &functor) {
  parallel_for(policy, functor);
}
template <class... Props, class F, class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
inline void parallel_reduce(const MDRangePolicy<Props...> &policy, const F &functor, T &result) {
  using policy_type = MDRangePolicy<Props...>;
  static_assert(policy_type::rank == 2, "Kokkos: sums are over one or two indices");
  static_assert(!cladpy_kokkos::joins<F>::value, "Kokkos: a reduction is a sum, and no functor's own join");
  T *total;
  cudaMalloc(&total, sizeof(T));
  cudaMemset(total, 0, sizeof(T));
  cladpy_kokkos::sum_range_2d<typename policy_type::execution_space, typename policy_type::work_tag, F, T>
      <<<1, 1>>>(policy.begin_[0], policy.end_[0], policy.begin_[1], policy.end_[1], functor, total);
  cudaMemcpy(&result, total, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(total);
}
template <class... Props, class F, class T>
inline void parallel_reduce(const cladpy_kokkos::label &, const MDRangePolicy<Props...> &policy, const F &functor, T &result) {
  parallel_reduce(policy, functor, result);
}

namespace cladpy_kokkos {

// One element after the other, wherever it lies.
template <class To, class From>
struct copying {
  To to;
  From from;
  template <class... I>
  __host__ __device__ void operator()(I... i) const { to(i...) = from(i...); }
};
template <class To, class T>
struct filling {
  To to;
  T value;
  template <class... I>
  __host__ __device__ void operator()(I... i) const { to(i...) = value; }
};

template <class V, class F>
inline void for_elements(const V &view, const F &functor) {
  static_assert(V::rank >= 1 && V::rank <= 3, "Kokkos: views of one to three dimensions are copied");
  if constexpr (V::rank == 1)
    parallel_for(RangePolicy<>(0, view.extent_at_0()), functor);
  else if constexpr (V::rank == 2)
    parallel_for(MDRangePolicy<Rank<2>>({0, 0}, {view.extent_at_0(), view.extent_at_1()}), functor);
  else
    parallel_for(MDRangePolicy<Rank<3>>({0, 0, 0}, {view.extent_at_0(), view.extent_at_1(), view.extent_at_2()}), functor);
}

}  // namespace cladpy_kokkos

template <class D, class... Props, class E, class... Others>
inline void deep_copy(const View<D, Props...> &to, const View<E, Others...> &from) {
  static_assert(cladpy_kokkos::traits<D, Props...>::is_default_space && cladpy_kokkos::traits<E, Others...>::is_default_space,
                "Kokkos: copies are between views of the default memory space");
  cladpy_kokkos::for_elements(to, cladpy_kokkos::copying<View<D, Props...>, View<E, Others...>>{to, from});
}
template <class D, class... Props, class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
inline void deep_copy(const View<D, Props...> &to, const T &value) {
  static_assert(cladpy_kokkos::traits<D, Props...>::is_default_space, "Kokkos: views of the default memory space are filled");
  cladpy_kokkos::for_elements(to, cladpy_kokkos::filling<View<D, Props...>, T>{to, value});
}

inline void fence() {}
inline void fence(const cladpy_kokkos::label &) {}

}  // namespace Kokkos
