// Prefix sums, which are read as one iteration that goes over the range.
#pragma once

#include <cladpy_kokkos/reductions.h>

namespace Kokkos {
namespace cladpy_kokkos {

// The type of what a functor scans, its last argument but one.
template <class Call>
struct scanned;
template <class F, class I, class T>
struct scanned<void (F::*)(I, T &, bool) const> { using type = T; };
template <class F, class I, class T>
struct scanned<void (F::*)(I, T &, const bool &) const> { using type = T; };
template <class F, class Tag, class I, class T>
struct scanned<void (F::*)(Tag, I, T &, bool) const> { using type = T; };

template <class... Props, class F, class T>
inline void scan(const RangePolicy<Props...> &policy, const F &functor, T &result) {
  using policy_type = RangePolicy<Props...>;
  const long first = policy.begin_, last = policy.end_;
  const auto all = [=] __host__ __device__(long, T &sum) {
    T so_far;
    begin_as(functor, so_far);
    for (long i = first; i < last; ++i) apply<typename policy_type::work_tag>(functor, i, so_far, true);
    sum += so_far;
  };
  reduce(RangePolicy<typename policy_type::execution_space>(0, 1), all, into(result));
}

}  // namespace cladpy_kokkos

template <class... Props, class F>
inline void parallel_scan(const RangePolicy<Props...> &policy, const F &functor) {
  typename cladpy_kokkos::scanned<decltype(&F::operator())>::type result = 0;
  cladpy_kokkos::scan(policy, functor, result);
}
template <class... Props, class F, class T>
inline void parallel_scan(const RangePolicy<Props...> &policy, const F &functor, T &result) {
  cladpy_kokkos::scan(policy, functor, result);
}
template <class I, class F, class... T, class = std::enable_if_t<std::is_integral_v<I>>>
inline void parallel_scan(I count, const F &functor, T &...result) {
  parallel_scan(RangePolicy<>(0, count), functor, result...);
}
template <class P, class F, class... T>
inline void parallel_scan(const cladpy_kokkos::label &, const P &policy, const F &functor, T &...result) {
  parallel_scan(policy, functor, result...);
}

}  // namespace Kokkos
