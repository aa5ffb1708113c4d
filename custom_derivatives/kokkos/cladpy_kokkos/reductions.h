// Reductions: sums, which the iterations add to one number, and what other results come to.
#pragma once

#include <cladpy/arithmetic.h>
#include <cladpy_kokkos/folds.h>
#include <cladpy_kokkos/view.h>

namespace Kokkos {
namespace cladpy_kokkos {

template <class T>
__device__ inline void add(T *to, T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) atomicAdd(reinterpret_cast<unsigned long long *>(to), static_cast<unsigned long long>(value));
  else atomicAdd(to, value);
}

// What the iterations add, to numbers that are zero.
template <class Space, class Tag, class F, class T>
__global__ void sum_range(long first, long last, const F functor, T *total) {
  const long i = first + long(blockIdx.x) * long(blockDim.x) + long(threadIdx.x);
  if (i < last) {
    T mine = T(0);
    apply<Tag>(functor, i, mine);
    add(total, mine);
  }
}
template <class Space, class Tag, class F, class T>
__global__ void sum_range_2d(long first0, long last0, long first1, long last1, const F functor, T *total) {
  const long i = first0 + long(blockIdx.x) * long(blockDim.x) + long(threadIdx.x);
  const long j = first1 + long(blockIdx.y) * long(blockDim.y) + long(threadIdx.y);
  if (i < last0 && j < last1) {
    T mine = T(0);
    apply<Tag>(functor, i, j, mine);
    add(total, mine);
  }
}
template <class Space, class Tag, class F, class T>
__global__ void sum_range_3d(long first0, long last0, long first1, long last1, long first2, long last2, const F functor, T *total) {
  const long i = first0 + long(blockIdx.x) * long(blockDim.x) + long(threadIdx.x);
  const long j = first1 + long(blockIdx.y) * long(blockDim.y) + long(threadIdx.y);
  const long k = first2 + long(blockIdx.z) * long(blockDim.z) + long(threadIdx.z);
  if (i < last0 && j < last1 && k < last2) {
    T mine = T(0);
    apply<Tag>(functor, i, j, k, mine);
    add(total, mine);
  }
}

// What a reducer makes of two values (`join`, of what `left` leaves of them), and of all, of which some are counted: the
// result, and its derivative by one of them (`weight`).
struct sum_of {
  template <class T> static constexpr T identity = T(0);
};
struct product_of {
  template <class T> static constexpr T identity = T(1);
  template <class T> __host__ __device__ static T join(T a, T b) { return a * b; }
  template <class T> __host__ __device__ static T left(T value) { return value == T(0) ? T(1) : value; }
  template <class T> __host__ __device__ static bool counts(T value, T) { return value == T(0); }
  template <class T> __host__ __device__ static T result(T all, long zeros) { return zeros == 0 ? all : T(0); }
  template <class T> __host__ __device__ static T weight(T value, T all, long zeros) {
    return zeros == 0 ? all / value : zeros == 1 && value == T(0) ? all : T(0);
  }
};
struct extremum_of {  // those that are equal share evenly
  template <class T> __host__ __device__ static T left(T value) { return value; }
  template <class T> __host__ __device__ static bool counts(T value, T all) { return value == all; }
  template <class T> __host__ __device__ static T result(T all, long) { return all; }
  template <class T> __host__ __device__ static T weight(T value, T all, long equal) { return value == all ? T(1) / T(equal) : T(0); }
};
struct smallest_of : extremum_of {
  template <class T> static constexpr T identity = std::numeric_limits<T>::max();
  template <class T> __host__ __device__ static T join(T a, T b) { return b < a ? b : a; }
};
struct largest_of : extremum_of {
  template <class T> static constexpr T identity = std::numeric_limits<T>::lowest();
  template <class T> __host__ __device__ static T join(T a, T b) { return a < b ? b : a; }
};

// Where a reduction leaves its result.
template <class How, class T>
struct into_number {
  using how = How;
  using value_type = T;
  T &number;
  void begin(T **memory) const {
    cudaMalloc(memory, sizeof(T));
    cudaMemset(*memory, 0, sizeof(T));
  }
  void end(T *memory) const {
    cudaMemcpy(&number, memory, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(memory);
  }
};
template <class How, class T>
struct into_view {
  using how = How;
  using value_type = T;
  T *memory;
  void begin(T **given) const {
    cudaMemset(memory, 0, sizeof(T));
    *given = memory;
  }
  void end(T *) const {}
};
template <class How, class T, class Space>
struct reducer {
  using value_type = T;
  static constexpr bool is_number = std::is_same_v<typename Space::memory_space, HostSpace>;
  T &number;
  __host__ __device__ explicit reducer(T &result) : number(result) {}
  explicit reducer(const View<T, Space> &view) : number(*view.data_) {}
};
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
__host__ __device__ inline into_number<sum_of, T> into(T &number) { return {number}; }
template <class How, class T, class Space>
__host__ __device__ inline auto into(const reducer<How, T, Space> &given) {
  if constexpr (reducer<How, T, Space>::is_number) return into_number<How, T>{given.number};
  else return into_view<How, T>{&given.number};
}
template <class D, class... Props>
inline auto into(const View<D, Props...> &view) {
  using of = traits<D, Props...>;
  static_assert(of::rank == 0 && (of::is_default_space || of::is_host), "Kokkos: a reduction gives numbers, or views of rank 0");
  if constexpr (of::is_host) return into_number<sum_of, typename of::value_type>{*view.data_};
  else return into_view<sum_of, typename of::value_type>{view.data_};
}

// The result of what is no sum. The values of iterations are kept; what they come to has no derivative. The result is that,
// to which a sum adds zero for each value, with the value's derivative.
template <class Space, class How, class T, class F>
inline void join_all(long count, const F &value_of, T *total) {
  constexpr long each = 256;
  const long groups = (count + each - 1) / each;
  T *values, *joined, *all;
  cudaMalloc(&values, count * sizeof(T));
  cudaMalloc(&joined, groups * sizeof(T));
  cudaMalloc(&all, sizeof(T));
  parallel_for(RangePolicy<Space>(0, count), [=] __host__ __device__(const long i) { values[i] = value_of(i); });
  parallel_for(RangePolicy<Space>(0, groups), [=] __host__ __device__(const long group) {
    const long end = (group + 1) * each < count ? (group + 1) * each : count;
    T some = How::template identity<T>;
    for (long k = group * each; k < end; ++k) some = How::join(some, How::left(cladpy::detached(values[k])));
    joined[group] = some;
  });
  parallel_for(RangePolicy<Space>(0, 1), [=] __host__ __device__(long) {
    T some = How::template identity<T>;
    for (long group = 0; group < groups; ++group) some = How::join(some, cladpy::detached(joined[group]));
    all[0] = some;
  });
  long counted = 0;
  const auto counts = [=] __host__ __device__(const long i, long &sum) {
    if (How::counts(cladpy::detached(values[i]), cladpy::detached(all[0]))) sum += 1;
  };
  reduce(RangePolicy<Space>(0, count), counts, into(counted));
  parallel_for(RangePolicy<Space>(0, 1), [=] __host__ __device__(long) { total[0] = How::result(cladpy::detached(all[0]), counted); });
  const auto weighs = [=] __host__ __device__(const long i, T &sum) {
    const T value = cladpy::detached(values[i]), weight = How::weight(value, cladpy::detached(all[0]), counted);
    if (weight != T(0) && value - value == T(0)) sum += weight * (values[i] - value);
  };
  sum_range<Space, void, decltype(weighs), T><<<blocks_of(count), dim3(128)>>>(0, count, weighs, total);
  cudaFree(all);
  cudaFree(joined);
  cudaFree(values);
}

template <class... Props, class F, class Into>
inline void reduce(const RangePolicy<Props...> &policy, const F &functor, const Into &into) {
  using space = typename RangePolicy<Props...>::execution_space;
  using tag = typename RangePolicy<Props...>::work_tag;
  using how = typename Into::how;
  using T = typename Into::value_type;
  const long first = policy.begin_, last = policy.end_;
  T *total;
  into.begin(&total);
  if constexpr (std::is_same_v<how, sum_of>) {
    sum_range<space, tag, F, T><<<blocks_of(last - first), dim3(128)>>>(first, last, functor, total);
  } else {
    join_all<space, how, T>(last > first ? last - first : 0, [=] __host__ __device__(const long i) {
      T mine = how::template identity<T>;
      apply<tag>(functor, first + i, mine);
      return mine;
    }, total);
  }
  into.end(total);
}
template <class... Props, class F, class Into>
inline void reduce(const MDRangePolicy<Props...> &policy, const F &functor, const Into &into) {
  using policy_type = MDRangePolicy<Props...>;
  using space = typename policy_type::execution_space;
  using tag = typename policy_type::work_tag;
  using how = typename Into::how;
  using T = typename Into::value_type;
  static_assert(policy_type::rank >= 2 && policy_type::rank <= 6, "Kokkos: reductions are over one to six indices");
  static_assert(std::is_same_v<how, sum_of> || policy_type::rank == 2, "Kokkos: Prod, Min and Max are over one or two indices");
  const long first0 = policy.begin_[0], last0 = policy.end_[0], first1 = policy.begin_[1], last1 = policy.end_[1];
  if constexpr (policy_type::rank > 3) {
    reduce(folded(policy), fold<tag>(policy, functor), into);
    return;
  }
  T *total;
  into.begin(&total);
  if constexpr (policy_type::rank > 3) {
  } else if constexpr (policy_type::rank == 3) {
    const long first2 = policy.begin_[2], last2 = policy.end_[2];
    sum_range_3d<space, tag, F, T><<<blocks_of(last0 - first0, last1 - first1, last2 - first2), 1>>>(first0, last0, first1, last1, first2, last2, functor, total);
  } else if constexpr (std::is_same_v<how, sum_of>) {
    sum_range_2d<space, tag, F, T><<<blocks_of(last0 - first0, last1 - first1), 1>>>(first0, last0, first1, last1, functor, total);
  } else {
    const long wide = last1 > first1 ? last1 - first1 : 0;
    join_all<space, how, T>(last0 > first0 ? (last0 - first0) * wide : 0, [=] __host__ __device__(const long at) {
      T mine = how::template identity<T>;
      apply<tag>(functor, first0 + at / wide, first1 + at % wide, mine);
      return mine;
    }, total);
  }
  into.end(total);
}

template <class R, class = void>
struct is_result : std::false_type {};
template <class R>
struct is_result<R, std::void_t<decltype(into(std::declval<R &>()))>> : std::true_type {};

template <class Policy, class F, class How, class R>
inline void reduce_or_fold(const Policy &policy, const F &functor, const How &how, R &&result) {
  if constexpr (is_reducer<std::decay_t<R>>::value) fold_by(policy, functor, result);
  else if constexpr (joins<How>::value) fold_into(policy, functor, how, result);
  else {
    constexpr bool is_known = is_result<std::remove_reference_t<R>>::value;
    static_assert(is_known, "Kokkos: what iterations sum up are numbers; a complex number is two");
    if constexpr (is_known) reduce(policy, functor, into(result));
  }
}
template <class... Props, class F, class R>
inline void reduce_to(const RangePolicy<Props...> &policy, const F &functor, R &&result) { reduce_or_fold(policy, functor, functor, result); }
template <class... Props, class F, class R>
inline void reduce_to(const MDRangePolicy<Props...> &policy, const F &functor, R &&result) { reduce_or_fold(policy, functor, functor, result); }
// Of several results each is one of a functor around the functor, which adds what an iteration gives, or keeps it.
template <class Tag, class F, class T>
struct adding_first {
  F functor;
  T *total;
  template <class... Given>
  __host__ __device__ void operator()(long i, Given &...given) const {
    T mine = T(0);
    apply<Tag>(functor, i, mine, given...);
    add(total, mine);
  }
};
template <class Tag, class How, class F, class T>
struct keeping_first {
  F functor;
  T *values;
  long first;
  template <class... Given>
  __host__ __device__ void operator()(long i, Given &...given) const {
    T mine = How::template identity<T>;
    apply<Tag>(functor, i, mine, given...);
    values[i - first] = mine;
  }
};
template <class R>
constexpr bool is_sum = std::is_same_v<typename decltype(into(std::declval<R &>()))::how, sum_of>;
template <class... Props, class F, class A, class B, class... R>
inline void reduce_to(const RangePolicy<Props...> &policy, const F &functor, A &&first, B &&second, R &&...others) {
  static_assert(!joins<F>::value, "Kokkos: a reduction by a functor's own join has one result");
  using tag = typename RangePolicy<Props...>::work_tag;
  const RangePolicy<typename RangePolicy<Props...>::execution_space> range(policy.begin_, policy.end_);
  if constexpr (is_sum<A> && is_sum<B> && (... && is_sum<R>)) add_each<tag>(range, functor, into(first), into(second), into(others)...);
  else keep_each<tag>(range, functor, into(first), into(second), into(others)...);
}
template <class... Props, class F, class A, class B, class... R>
inline void reduce_to(const MDRangePolicy<Props...> &, const F &, A &&, B &&, R &&...) {
  static_assert(sizeof(F) == 0, "Kokkos: a reduction over several indices has one result");
}
template <class Tag, class Policy, class F, class A, class... Rest>
inline void add_each(const Policy &policy, const F &functor, const A &into_first, const Rest &...rest) {
  using T = typename A::value_type;
  if constexpr (sizeof...(Rest) == 0) {
    reduce(policy, functor, into_first);
  } else {
    T *total;
    into_first.begin(&total);
    add_each<void>(policy, adding_first<Tag, F, T>{functor, total}, rest...);
    into_first.end(total);
  }
}
template <class Space, class How, class T>
inline void join_kept(long count, T *values, T *total) {
  if constexpr (std::is_same_v<How, sum_of>) {
    const auto each = [=] __host__ __device__(const long i, T &sum) { sum += values[i]; };
    sum_range<Space, void, decltype(each), T><<<blocks_of(count), dim3(128)>>>(0, count, each, total);
  } else {
    join_all<Space, How, T>(count, [=] __host__ __device__(const long i) { return values[i]; }, total);
  }
}
template <class Tag, class Policy, class F, class A, class... Rest>
inline void keep_each(const Policy &policy, const F &functor, const A &into_first, const Rest &...rest) {
  using T = typename A::value_type;
  using how = typename A::how;
  const long count = policy.end_ > policy.begin_ ? policy.end_ - policy.begin_ : 0;
  T *values, *total;
  into_first.begin(&total);
  cudaMalloc(&values, count * sizeof(T));
  const keeping_first<Tag, how, F, T> keeping{functor, values, policy.begin_};
  if constexpr (sizeof...(Rest) == 0) parallel_for(policy, keeping);
  else keep_each<void>(policy, keeping, rest...);
  join_kept<typename Policy::execution_space, how>(count, values, total);
  cudaFree(values);
  into_first.end(total);
}

}  // namespace cladpy_kokkos

#define CLADPY_KOKKOS_REDUCER(name, how)                                                        \
  template <class T, class Space = HostSpace>                                                   \
  struct name : cladpy_kokkos::reducer<cladpy_kokkos::how, T, Space> {                          \
    using cladpy_kokkos::reducer<cladpy_kokkos::how, T, Space>::reducer;                        \
  };                                                                                            \
  template <class T, class... Props>                                                            \
  name(const View<T, Props...> &) -> name<T, typename View<T, Props...>::memory_space>;
CLADPY_KOKKOS_REDUCER(Sum, sum_of)
CLADPY_KOKKOS_REDUCER(Prod, product_of)
CLADPY_KOKKOS_REDUCER(Min, smallest_of)
CLADPY_KOKKOS_REDUCER(Max, largest_of)
#undef CLADPY_KOKKOS_REDUCER

// A label, where there is one, the policy or a number of iterations, the functor, and the results.
template <class First, class... Rest>
__host__ __device__ inline void parallel_reduce(const First &first, Rest &&...rest) {
  using cladpy_kokkos::reduce_to;
  if constexpr (std::is_convertible_v<First, cladpy_kokkos::label>) parallel_reduce(rest...);
  else if constexpr (std::is_integral_v<First>) reduce_to(RangePolicy<>(0, first), rest...);
  else reduce_to(first, rest...);
}

}  // namespace Kokkos
