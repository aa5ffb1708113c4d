// Iterators of Thrust over several ranges at once, places that are written by a map, and algorithms that choose by
// neighbours or conditions. Part of <thrust/device_vector.h>, as <thrust/cladpy_places.h> is.
#ifndef CLADPY_THRUST_HOST_TOGETHER_H
#define CLADPY_THRUST_HOST_TOGETHER_H

#include <thrust/cladpy_sets.h>
#include <thrust/cladpy_tuple.h>

namespace thrust {

namespace placeholders {
static const cladpy::algorithms::argument<0> _1 = {};
static const cladpy::algorithms::argument<1> _2 = {};
}  // namespace placeholders

// ---- what is read of an iterator, and what is changed ----

template <class Iterator, class Map>
auto cladpy_out(const permutation_iterator<Iterator, Map> &place)
    -> cladpy::algorithms::placed<decltype(cladpy_out(place.base())), decltype(cladpy_in(place.map()))> {
  return {cladpy_out(place.base()), cladpy_in(place.map())};
}
template <class Iterator, class Map> auto cladpy_each(const permutation_iterator<Iterator, Map> &place) { return cladpy_out(place); }
template <class F, class Iterator> auto cladpy_each(const transform_iterator<F, Iterator> &place) { return cladpy_in(place); }
template <class T> auto cladpy_each(const constant_iterator<T> &place) { return cladpy_in(place); }

class discard_iterator {
public:
  typedef int value_type;
  explicit discard_iterator(std::ptrdiff_t place = 0) : place_(place) {}
  discard_iterator operator+(std::ptrdiff_t n) const { return discard_iterator(place_ + n); }
  std::ptrdiff_t operator-(const discard_iterator &other) const { return place_ - other.place_; }

private:
  std::ptrdiff_t place_;
};
inline discard_iterator make_discard_iterator() { return discard_iterator(); }
inline cladpy::algorithms::discarded cladpy_out(const discard_iterator &) { return {}; }
template <> struct cladpy_range<discard_iterator> {
  typedef cladpy_anywhere side;
};

// ---- several ranges ----

template <class Tuple> class zip_iterator;
template <class... I> class zip_iterator<tuple<I...>> {
public:
  typedef tuple<typename cladpy_value<I>::type...> value_type;
  zip_iterator(const tuple<I...> &iterators) : iterators_(iterators) {}
  zip_iterator operator+(std::ptrdiff_t n) const { return moved(n, std::index_sequence_for<I...>()); }
  std::ptrdiff_t operator-(const zip_iterator &other) const {
    return cladpy_element<0>(iterators_) - cladpy_element<0>(other.iterators_);
  }
  const tuple<I...> &get_iterator_tuple() const { return iterators_; }

private:
  template <std::size_t... P> zip_iterator moved(std::ptrdiff_t n, std::index_sequence<P...>) const {
    return zip_iterator(tuple<I...>((cladpy_element<P>(iterators_) + n)...));
  }
  tuple<I...> iterators_;
};
template <class... I> zip_iterator<tuple<I...>> make_zip_iterator(const tuple<I...> &iterators) { return zip_iterator<tuple<I...>>(iterators); }
template <class A, class... I> zip_iterator<tuple<A, I...>> make_zip_iterator(A first, I... others) {
  return zip_iterator<tuple<A, I...>>(tuple<A, I...>(first, others...));
}

template <class A, class... I> struct cladpy_range<zip_iterator<tuple<A, I...>>> {
  typedef typename cladpy_either<typename cladpy_range<A>::side, typename cladpy_range<zip_iterator<tuple<I...>>>::side>::side side;
};
template <class A> struct cladpy_range<zip_iterator<tuple<A>>> {
  typedef typename cladpy_range<A>::side side;
};

template <class... R> auto cladpy_zipped_values(const R &...in) {
  return cladpy::algorithms::zipped<tuple<typename std::decay<decltype(in[0])>::type...>, R...>{cladpy::algorithms::together(in...)};
}
template <class... R> auto cladpy_zipped_places(const R &...out) {
  return cladpy::algorithms::zipped<tuple<decltype(out[0])...>, R...>{cladpy::algorithms::together(out...)};
}
template <class... I, std::size_t... P> auto cladpy_in_of(const tuple<I...> &its, std::index_sequence<P...>) {
  return cladpy_zipped_values(cladpy_in(cladpy_element<P>(its))...);
}
template <class... I, std::size_t... P> auto cladpy_each_of(const tuple<I...> &its, std::index_sequence<P...>) {
  return cladpy_zipped_places(cladpy_each(cladpy_element<P>(its))...);
}
template <class... I> auto cladpy_in(const zip_iterator<tuple<I...>> &place) {
  return cladpy_in_of(place.get_iterator_tuple(), std::index_sequence_for<I...>());
}
template <class... I> auto cladpy_each(const zip_iterator<tuple<I...>> &place) {
  return cladpy_each_of(place.get_iterator_tuple(), std::index_sequence_for<I...>());
}
template <class... I> auto cladpy_out(const zip_iterator<tuple<I...>> &place) { return cladpy_each(place); }

// Values of several ranges are moved one range after the other.
template <class Side, class A> void cladpy_permute(Side side, const cladpy::algorithms::ranges<A> &values, const unsigned *order, std::size_t n) {
  cladpy_permute(side, values.first, order, n);
}
template <class Side, class A, class B, class... Others>
void cladpy_permute(Side side, const cladpy::algorithms::ranges<A, B, Others...> &values, const unsigned *order, std::size_t n) {
  cladpy_permute(side, values.first, order, n);
  cladpy_permute(side, values.others, order, n);
}
template <class Side, class T, class Tuple, class... R, class Op>
void cladpy_sort(Side side, T *keys, const cladpy::algorithms::zipped<Tuple, R...> &values, std::size_t n, Op op) {
  if (n < 2) return;
  unsigned *const order = cladpy_orders(side, n);
  cladpy_order(side, static_cast<const T *>(keys), order, n, cladpy_comparison(keys, op));
  cladpy_permute(side, keys, order, n);
  cladpy_permute(side, values.in, order, n);
  cladpy_done(side, order);
}

// ---- to places that a map names ----

template <class In, class Iterator, class Map>
permutation_iterator<Iterator, Map> copy(In first, In last, permutation_iterator<Iterator, Map> out) {
  typedef cladpy::algorithms::identity<typename cladpy_value<In>::type> Same;
  return thrust::transform(first, last, out, Same());
}
template <class Iterator, class Map, class V>
void fill(permutation_iterator<Iterator, Map> first, permutation_iterator<Iterator, Map> last, const V &value) {
  typedef typename permutation_iterator<Iterator, Map>::value_type T;
  const constant_iterator<T> same(static_cast<T>(value));
  thrust::transform(same, same + (last - first), first, cladpy::algorithms::identity<T>());
}
template <class F, class Iterator, class T> device_ptr<T> copy(transform_iterator<F, Iterator> first, transform_iterator<F, Iterator> last, device_ptr<T> out) {
  return thrust::transform(first, last, out, cladpy::algorithms::identity<T>());
}
template <class Iterator, class Map, class T>
device_ptr<T> copy(permutation_iterator<Iterator, Map> first, permutation_iterator<Iterator, Map> last, device_ptr<T> out) {
  return thrust::transform(first, last, out, cladpy::algorithms::identity<T>());
}

struct cladpy_nonzero {
  template <class T> __host__ __device__ bool operator()(const T &x) const { return static_cast<bool>(x); }
};
template <class In, class Map, class Stencil, class Out, class P>
void scatter_if(In first, In last, Map map, Stencil stencil, Out out, P holds) {
  typedef cladpy::algorithms::identity<typename cladpy_value<In>::type> Same;
  thrust::transform_if(first, last, stencil, make_permutation_iterator(out, map), Same(), holds);
}
template <class In, class Map, class Stencil, class Out> void scatter_if(In first, In last, Map map, Stencil stencil, Out out) {
  thrust::scatter_if(first, last, map, stencil, out, cladpy::algorithms::negated<cladpy::algorithms::is<typename cladpy_value<Stencil>::type>>());
}
template <class Map, class Stencil, class In, class Out, class P>
Out gather_if(Map first, Map last, Stencil stencil, In in, Out out, P holds) {
  typedef cladpy::algorithms::identity<typename cladpy_value<In>::type> Same;
  return thrust::transform_if(make_permutation_iterator(in, first), make_permutation_iterator(in, last), stencil, out, Same(), holds);
}
template <class Map, class Stencil, class In, class Out> Out gather_if(Map first, Map last, Stencil stencil, In in, Out out) {
  return thrust::gather_if(first, last, stencil, in, out, cladpy::algorithms::negated<cladpy::algorithms::is<typename cladpy_value<Stencil>::type>>());
}

// ---- one of each run of equals ----

template <class I, class Equal> auto cladpy_heads(I first, Equal equal) {
  return cladpy::algorithms::heads<decltype(cladpy_in(first)), Equal>{cladpy_in(first), equal};
}
template <class I> using cladpy_equal = cladpy::algorithms::equal_to<typename cladpy_value<I>::type>;
template <class I, class Equal> I unique(I first, I last, Equal equal) {
  return first + cladpy_keep_here(typename cladpy_sides<I, I>::side(), cladpy_out(first), last - first, cladpy_heads(first, equal));
}
template <class I> I unique(I first, I last) { return thrust::unique(first, last, cladpy_equal<I>()); }
template <class I, class Out> Out unique_copy(I first, I last, Out out) {
  return out + cladpy_keep(typename cladpy_sides<I, Out>::side(), cladpy_in(first), last - first, cladpy_heads(first, cladpy_equal<I>()), cladpy_out(out));
}
template <class K, class V, class Equal> pair<K, V> unique_by_key(K first, K last, V values, Equal equal) {
  typedef typename cladpy_sides<K, V>::side Side;
  const long count = cladpy_keep_here(Side(), cladpy_out(values), last - first, cladpy_heads(first, equal));
  cladpy_keep_here(Side(), cladpy_out(first), last - first, cladpy_heads(first, equal));
  return pair<K, V>(first + count, values + count);
}
template <class K, class V> pair<K, V> unique_by_key(K first, K last, V values) {
  return thrust::unique_by_key(first, last, values, cladpy_equal<K>());
}

// ---- those for which a condition holds, and then the others, in order ----

template <class T, class P> long cladpy_divide(cladpy_host side, T *place, std::size_t n, P holds) {
  const cladpy::algorithms::negated<P> others = {holds};
  T *const made = new T[n];
  const T *const before = place;
  const long count = cladpy_keep(side, before, n, cladpy_held(before, holds), made);
  cladpy_keep(side, before, n, cladpy_held(before, others), made + count);
  for (std::size_t i = 0; i < n; ++i) place[i] = made[i];
  delete[] made;
  return count;
}
template <class T, class P> long cladpy_divide(cladpy_device side, T *place, std::size_t n, P holds) {
  if (n == 0) return 0;
  const cladpy::algorithms::negated<P> others = {holds};
  T *made;
  cudaMalloc(&made, n * sizeof(T));
  const T *const before = place;
  const long count = cladpy_keep(side, before, n, cladpy_held(before, holds), made);
  cladpy_keep(side, before, n, cladpy_held(before, others), made + count);
  cudaMemcpy(place, made, n * sizeof(T), cudaMemcpyDeviceToDevice);
  cudaFree(made);
  return count;
}
template <class I, class P> I stable_partition(I first, I last, P holds) {
  return first + cladpy_divide(typename cladpy_sides<I, I>::side(), cladpy_out(first), last - first, holds);
}
template <class In, class A, class B, class P> pair<A, B> stable_partition_copy(In first, In last, A kept, B rest, P holds) {
  const cladpy::algorithms::negated<P> others = {holds};
  const A end = thrust::copy_if(first, last, kept, holds);
  return pair<A, B>(end, thrust::copy_if(first, last, rest, others));
}

template <class I> pair<I, I> minmax_element(I first, I last) {
  return pair<I, I>(thrust::min_element(first, last), thrust::max_element(first, last));
}

// The host's function is called for one element after the other.
template <class I, class F> typename std::enable_if<std::is_same<typename cladpy_range<I>::side, cladpy_host>::value>::type generate(I first, I last, F f) {
  const std::size_t n = last - first;
  auto *const out = cladpy_out(first);
  for (std::size_t i = 0; i < n; ++i) out[i] = f();
}

// ---- two sorted ranges as one: the second behind the first, in a stable order ----

template <class A, class B, class Out, class Op> Out merge(A first, A last, B first2, B last2, Out out, Op op) {
  const Out behind = thrust::copy(first2, last2, thrust::copy(first, last, out));
  thrust::stable_sort(out, behind, op);
  return behind;
}
template <class A, class B, class Out> Out merge(A first, A last, B first2, B last2, Out out) {
  return thrust::merge(first, last, first2, last2, out, less<void>());
}
template <class A, class B, class V, class W, class Out, class Values, class Op>
pair<Out, Values> merge_by_key(A first, A last, B first2, B last2, V values, W values2, Out out, Values result, Op op) {
  const Out behind = thrust::copy(first2, last2, thrust::copy(first, last, out));
  const Values middle = thrust::copy(values, values + (last - first), result);
  const Values ends = thrust::copy(values2, values2 + (last2 - first2), middle);
  thrust::stable_sort_by_key(out, behind, result, op);
  return pair<Out, Values>(behind, ends);
}
template <class A, class B, class V, class W, class Out, class Values>
pair<Out, Values> merge_by_key(A first, A last, B first2, B last2, V values, W values2, Out out, Values result) {
  return thrust::merge_by_key(first, last, first2, last2, values, values2, out, result, less<void>());
}

// ---- with a policy that says nothing more than the iterators do ----

template <class T> device_ptr<T> cladpy_there(T *place) { return device_ptr<T>(place); }
template <class T> T cladpy_there(T given) { return given; }
#define CLADPY_WITH_DEVICE(algorithm)                                                                                  \
  template <class... Given> auto algorithm(device_policy, Given... given) { return thrust::algorithm(cladpy_there(given)...); }
#define CLADPY_WITH_HOST(algorithm)                                                                                    \
  template <class... Given> auto algorithm(host_policy, Given... given) -> decltype(thrust::algorithm(given...)) {              \
    return thrust::algorithm(given...);                                                                                \
  }
CLADPY_WITH_DEVICE(inclusive_scan_by_key)
CLADPY_WITH_DEVICE(exclusive_scan_by_key)
CLADPY_WITH_DEVICE(scatter_if)
CLADPY_WITH_DEVICE(gather_if)
CLADPY_WITH_DEVICE(merge)
CLADPY_WITH_DEVICE(merge_by_key)
CLADPY_WITH_DEVICE(set_intersection)
CLADPY_WITH_DEVICE(set_difference)
CLADPY_WITH_DEVICE(set_union)
CLADPY_WITH_DEVICE(set_symmetric_difference)
CLADPY_WITH_DEVICE(set_intersection_by_key)
CLADPY_WITH_DEVICE(set_difference_by_key)
CLADPY_WITH_DEVICE(set_union_by_key)
CLADPY_WITH_DEVICE(set_symmetric_difference_by_key)
CLADPY_WITH_DEVICE(unique_by_key)
CLADPY_WITH_DEVICE(unique_copy)
CLADPY_WITH_DEVICE(stable_partition)
CLADPY_WITH_DEVICE(stable_partition_copy)
CLADPY_WITH_HOST(reduce)
CLADPY_WITH_HOST(transform_reduce)
CLADPY_WITH_HOST(inner_product)
CLADPY_WITH_HOST(inclusive_scan)
CLADPY_WITH_HOST(exclusive_scan)
CLADPY_WITH_HOST(sort)
CLADPY_WITH_HOST(for_each)
CLADPY_WITH_HOST(copy)
CLADPY_WITH_HOST(fill)
#undef CLADPY_WITH_DEVICE
#undef CLADPY_WITH_HOST
template <class I, class... More> auto unique(device_policy, I first, I last, More... more) {
  return thrust::unique(cladpy_there(first), cladpy_there(last), more...);
}
template <class Keys, class In, class KeysOut, class Out, class Equal, class... Op>
auto reduce_by_key(device_policy, Keys first, Keys last, In in, KeysOut keys_out, Out out, Equal equal, Op... op) {
  return thrust::reduce_by_key(cladpy_there(first), cladpy_there(last), cladpy_there(in), cladpy_there(keys_out), cladpy_there(out), equal, op...);
}

}  // namespace thrust

#endif
