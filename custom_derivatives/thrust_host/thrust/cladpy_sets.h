// Set operations of Thrust on sorted ranges that may hold equal elements. Part of <thrust/device_vector.h>, as
// <thrust/cladpy_places.h> is.
#ifndef CLADPY_THRUST_HOST_SETS_H
#define CLADPY_THRUST_HOST_SETS_H

#include <thrust/cladpy_places.h>

namespace thrust {

// Which elements of one range are kept, by those of the other.
template <class A, class B, class Op> auto cladpy_kept_beside(A first, B first2, B last2, Op op, bool in_both) {
  typedef cladpy::algorithms::beside<decltype(cladpy_in(first)), decltype(cladpy_in(first2)), Op> Kept;
  return Kept{cladpy_in(first), cladpy_in(first2), static_cast<std::size_t>(last2 - first2), op, in_both};
}
template <class A, class In, class Out, class Kept> Out cladpy_set(A first, A last, In in, Kept kept, Out out) {
  return out + cladpy_keep(typename cladpy_sides<In, Out>::side(), cladpy_in(in), last - first, kept, cladpy_out(out));
}

template <class A, class B, class Out, class Op> Out set_intersection(A first, A last, B first2, B last2, Out out, Op op) {
  return cladpy_set(first, last, first, cladpy_kept_beside(first, first2, last2, op, true), out);
}
template <class A, class B, class Out, class Op> Out set_difference(A first, A last, B first2, B last2, Out out, Op op) {
  return cladpy_set(first, last, first, cladpy_kept_beside(first, first2, last2, op, false), out);
}
template <class A, class B, class Out, class Op> Out set_union(A first, A last, B first2, B last2, Out out, Op op) {
  const Out behind = thrust::set_difference(first2, last2, first, last, thrust::copy(first, last, out), op);
  thrust::stable_sort(out, behind, op);
  return behind;
}
template <class A, class B, class Out, class Op>
Out set_symmetric_difference(A first, A last, B first2, B last2, Out out, Op op) {
  const Out middle = thrust::set_difference(first, last, first2, last2, out, op);
  const Out behind = thrust::set_difference(first2, last2, first, last, middle, op);
  thrust::stable_sort(out, behind, op);
  return behind;
}

// The same of keys, with the values beside those that are kept.
template <class A, class B, class V, class Out, class Values, class Op>
pair<Out, Values> set_intersection_by_key(A first, A last, B first2, B last2, V values, Out out, Values result, Op op) {
  const auto kept = cladpy_kept_beside(first, first2, last2, op, true);
  const Values ends = cladpy_set(first, last, values, kept, result);
  return pair<Out, Values>(cladpy_set(first, last, first, kept, out), ends);
}
template <class A, class B, class V, class W, class Out, class Values, class Op>
pair<Out, Values> set_difference_by_key(A first, A last, B first2, B last2, V values, W, Out out, Values result, Op op) {
  const auto kept = cladpy_kept_beside(first, first2, last2, op, false);
  const Values ends = cladpy_set(first, last, values, kept, result);
  return pair<Out, Values>(cladpy_set(first, last, first, kept, out), ends);
}
template <class A, class B, class V, class W, class Out, class Values, class Op>
pair<Out, Values> set_union_by_key(A first, A last, B first2, B last2, V values, W values2, Out out, Values result, Op op) {
  const Out middle = thrust::copy(first, last, out);
  const Values ends = thrust::copy(values, values + (last - first), result);
  const auto behind = thrust::set_difference_by_key(first2, last2, first, last, values2, values, middle, ends, op);
  thrust::stable_sort_by_key(out, behind.first, result, op);
  return behind;
}
template <class A, class B, class V, class W, class Out, class Values, class Op>
pair<Out, Values> set_symmetric_difference_by_key(A first, A last, B first2, B last2, V values, W values2, Out out, Values result, Op op) {
  const auto middle = thrust::set_difference_by_key(first, last, first2, last2, values, values2, out, result, op);
  const auto behind = thrust::set_difference_by_key(first2, last2, first, last, values2, values, middle.first, middle.second, op);
  thrust::stable_sort_by_key(out, behind.first, result, op);
  return behind;
}

// Without an order, by that of the numbers.
#define CLADPY_BY_NUMBERS(algorithm)                                                                                   \
  template <class A, class B, class Out> Out algorithm(A first, A last, B first2, B last2, Out out) {                  \
    return thrust::algorithm(first, last, first2, last2, out, less<void>());                                           \
  }
CLADPY_BY_NUMBERS(set_intersection)
CLADPY_BY_NUMBERS(set_difference)
CLADPY_BY_NUMBERS(set_union)
CLADPY_BY_NUMBERS(set_symmetric_difference)
#undef CLADPY_BY_NUMBERS
template <class A, class B, class V, class Out, class Values>
pair<Out, Values> set_intersection_by_key(A first, A last, B first2, B last2, V values, Out out, Values result) {
  return thrust::set_intersection_by_key(first, last, first2, last2, values, out, result, less<void>());
}
#define CLADPY_BY_NUMBERS(algorithm)                                                                                   \
  template <class A, class B, class V, class W, class Out, class Values>                                               \
  pair<Out, Values> algorithm(A first, A last, B first2, B last2, V values, W values2, Out out, Values result) {       \
    return thrust::algorithm(first, last, first2, last2, values, values2, out, result, less<void>());                  \
  }
CLADPY_BY_NUMBERS(set_difference_by_key)
CLADPY_BY_NUMBERS(set_union_by_key)
CLADPY_BY_NUMBERS(set_symmetric_difference_by_key)
#undef CLADPY_BY_NUMBERS

}  // namespace thrust

#endif
