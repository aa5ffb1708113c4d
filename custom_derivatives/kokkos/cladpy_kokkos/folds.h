// Reductions that a program says itself: by a functor's `join`, or by a reducer's. They are read as one iteration that goes over
// the range, from what `init` gives; so nothing is joined.
#pragma once

#include <cladpy_kokkos/loops.h>

#include <limits>

namespace Kokkos {
namespace cladpy_kokkos {

// Whether a functor says itself how two results become one, and whether it says what a result begins as.
template <class F, class = void>
struct joins : std::false_type {};
template <class F>
struct joins<F, std::void_t<decltype(&F::join)>> : std::true_type {};
template <class F, class T, class = void>
struct begins : std::false_type {};
template <class F, class T>
struct begins<F, T, std::void_t<decltype(std::declval<const F &>().init(std::declval<T &>()))>> : std::true_type {};
template <class F, class T, class = void>
struct ends : std::false_type {};
template <class F, class T>
struct ends<F, T, std::void_t<decltype(std::declval<const F &>().final(std::declval<T &>()))>> : std::true_type {};

// Whether what a reduction is given is a reducer that is not one of ours for single numbers.
template <class R, class = void>
struct is_reducer : std::false_type {};
template <class R>
struct is_reducer<R, std::void_t<decltype(std::declval<const R &>().reference()), decltype(&R::init)>> : std::true_type {};

// What a reducer, which refers to its result, lets it begin as.
template <class T>
struct beginning {
  T value;
  __host__ __device__ void init(T &of) const { of = value; }
};
template <class How, class T>
__host__ __device__ inline void begin_as(const How &how, T &value) {
  if constexpr (begins<How, T>::value) how.init(value);
  else value = T();
}
// All iterations of a policy, one after the other, which change a value.
template <class... Props, class F, class T>
__host__ __device__ inline void in_turn(const RangePolicy<Props...> &policy, const F &functor, T &value) {
  for (long i = policy.begin_; i < policy.end_; ++i) apply<typename RangePolicy<Props...>::work_tag>(functor, i, value);
}
template <class... Props, class F, class T>
__host__ __device__ inline void in_turn(const MDRangePolicy<Props...> &policy, const F &functor, T &value) {
  using policy_type = MDRangePolicy<Props...>;
  using tag = typename policy_type::work_tag;
  static_assert(policy_type::rank == 2 || policy_type::rank == 3, "Kokkos: such a reduction is over one to three indices");
  for (long i = policy.begin_[0]; i < policy.end_[0]; ++i)
    for (long j = policy.begin_[1]; j < policy.end_[1]; ++j)
      if constexpr (policy_type::rank == 2) apply<tag>(functor, i, j, value);
      else
        for (long k = policy.begin_[2]; k < policy.end_[2]; ++k) apply<tag>(functor, i, j, k, value);
}
template <class Policy, class F, class How, class T>
inline void fold_into(const Policy &policy, const F &functor, const How &how, T &result) {
  T *memory;
  cudaMalloc(&memory, sizeof(T));
  parallel_for(RangePolicy<typename Policy::execution_space>(0, 1), [=] __host__ __device__(long) {
    T value;
    begin_as(how, value);
    in_turn(policy, functor, value);
    if constexpr (ends<How, T>::value) how.final(value);
    memory[0] = value;
  });
  cudaMemcpy(&result, memory, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(memory);
}
template <class Policy, class F, class R>
inline void fold_by(const Policy &policy, const F &functor, const R &reducer) {
  std::decay_t<decltype(reducer.reference())> first;
  reducer.init(first);
  fold_into(policy, functor, beginning<decltype(first)>{first}, reducer.reference());
}

}  // namespace cladpy_kokkos

// Where an extremum is, too, or the smallest and the largest.
template <class T, class Index>
struct ValLocScalar {
  T val;
  Index loc;
};
template <class T>
struct MinMaxScalar {
  T min_val, max_val;
};
template <class T, class Index>
struct MinMaxLocScalar {
  T min_val, max_val;
  Index min_loc, max_loc;
};

namespace cladpy_kokkos {

template <class Value>
struct reducer_of {
  using value_type = Value;
  Value &result;
  __host__ __device__ explicit reducer_of(Value &given) : result(given) {}
  __host__ __device__ Value &reference() const { return result; }
};

}  // namespace cladpy_kokkos

// Of integers, which have no derivative.
#define CLADPY_KOKKOS_LOGICAL(name, neutral)                                        \
  template <class T, class = HostSpace>                                             \
  struct name : cladpy_kokkos::reducer_of<T> {                                      \
    using cladpy_kokkos::reducer_of<T>::reducer_of;                                 \
    __host__ __device__ void init(T &value) const { value = neutral; }              \
  };
CLADPY_KOKKOS_LOGICAL(LAnd, T(1))
CLADPY_KOKKOS_LOGICAL(LOr, T(0))
CLADPY_KOKKOS_LOGICAL(BAnd, T(~T(0)))
CLADPY_KOKKOS_LOGICAL(BOr, T(0))
#undef CLADPY_KOKKOS_LOGICAL

template <class T, class Index, class = HostSpace>
struct MinLoc : cladpy_kokkos::reducer_of<ValLocScalar<T, Index>> {
  using cladpy_kokkos::reducer_of<ValLocScalar<T, Index>>::reducer_of;
  __host__ __device__ void init(ValLocScalar<T, Index> &value) const { value = {std::numeric_limits<T>::max(), std::numeric_limits<Index>::max()}; }
};
template <class T, class Index, class = HostSpace>
struct MaxLoc : cladpy_kokkos::reducer_of<ValLocScalar<T, Index>> {
  using cladpy_kokkos::reducer_of<ValLocScalar<T, Index>>::reducer_of;
  __host__ __device__ void init(ValLocScalar<T, Index> &value) const { value = {std::numeric_limits<T>::lowest(), std::numeric_limits<Index>::max()}; }
};
template <class T, class = HostSpace>
struct MinMax : cladpy_kokkos::reducer_of<MinMaxScalar<T>> {
  using cladpy_kokkos::reducer_of<MinMaxScalar<T>>::reducer_of;
  __host__ __device__ void init(MinMaxScalar<T> &value) const { value = {std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()}; }
};
template <class T, class Index, class = HostSpace>
struct MinMaxLoc : cladpy_kokkos::reducer_of<MinMaxLocScalar<T, Index>> {
  using cladpy_kokkos::reducer_of<MinMaxLocScalar<T, Index>>::reducer_of;
  __host__ __device__ void init(MinMaxLocScalar<T, Index> &value) const {
    value = {std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(), std::numeric_limits<Index>::max(), std::numeric_limits<Index>::max()};
  }
};

}  // namespace Kokkos
