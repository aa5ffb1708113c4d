// Algorithms of Thrust that move elements to other places, or choose some: by a map, by a condition, by runs of equal
// keys. Part of <thrust/device_vector.h>, as <thrust/cladpy_algorithms.h> is.
#ifndef CLADPY_THRUST_HOST_PLACES_H
#define CLADPY_THRUST_HOST_PLACES_H

namespace thrust {

template <class A, class B> using pair = std::pair<A, B>;
using std::make_pair;

template <class I> std::ptrdiff_t distance(I first, I last) { return last - first; }
template <class I, class N> void advance(I &place, N n) { place = place + n; }
template <class I> I next(I place) { return place + 1; }
template <class I> I prev(I place) { return place + -1; }

template <class T = void> struct equal_to {
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a == b; }
};
template <> struct equal_to<void> {
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a == b; }
};

// The elements that another range names.
template <class Iterator, class Map> class permutation_iterator {
public:
  typedef typename cladpy_value<Iterator>::type value_type;
  permutation_iterator(Iterator base, Map map) : base_(base), map_(map) {}
  value_type operator*() const { return base_[*map_]; }
  value_type operator[](std::ptrdiff_t i) const { return base_[map_[i]]; }
  permutation_iterator operator+(std::ptrdiff_t n) const { return permutation_iterator(base_, map_ + n); }
  std::ptrdiff_t operator-(const permutation_iterator &other) const { return map_ - other.map_; }
  const Iterator &base() const { return base_; }
  const Map &map() const { return map_; }

private:
  Iterator base_;
  Map map_;
};
template <class Iterator, class Map> permutation_iterator<Iterator, Map> make_permutation_iterator(Iterator base, Map map) {
  return permutation_iterator<Iterator, Map>(base, map);
}
template <class Iterator, class Map> struct cladpy_range<permutation_iterator<Iterator, Map>> {
  typedef typename cladpy_sides<Iterator, Map>::side side;
};
template <class Iterator, class Map>
auto cladpy_in(const permutation_iterator<Iterator, Map> &place)
    -> cladpy::algorithms::permuted<decltype(cladpy_in(place.base())), decltype(cladpy_in(place.map()))> {
  return {cladpy_in(place.base()), cladpy_in(place.map())};
}

// ---- by a map, or from the neighbour ----

template <class Map, class In, class Out> void cladpy_gather(cladpy_host, Map map, std::size_t n, In in, Out out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = in[map[i]];
}
template <class Map, class In, class Out> void cladpy_gather(cladpy_device, Map map, std::size_t n, In in, Out out) {
  if (n) CLADPY_ALGORITHM((cladpy::algorithms::gather<In, Map, Out>), cladpy::algorithms::blocks_for(n), 256, in, map, out, n);
}
template <class Map, class In, class Out> Out gather(Map first, Map last, In in, Out out) {
  cladpy_gather(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_in(in), cladpy_out(out));
  return out + (last - first);
}
template <class Map, class In, class Out> Out gather(device_policy, Map first, Map last, In in, Out out) {
  cladpy_gather(cladpy_device(), cladpy_in(first), last - first, cladpy_in(in), cladpy_out(out));
  return out + (last - first);
}

template <class In, class Map, class Out> void cladpy_scatter(cladpy_host, In in, std::size_t n, Map map, Out out) {
  for (std::size_t i = 0; i < n; ++i) out[map[i]] = in[i];
}
template <class In, class Map, class Out> void cladpy_scatter(cladpy_device, In in, std::size_t n, Map map, Out out) {
  if (n) CLADPY_ALGORITHM((cladpy::algorithms::scatter<In, Map, Out>), cladpy::algorithms::blocks_for(n), 256, in, map, out, n);
}
template <class In, class Map, class Out> void scatter(In first, In last, Map map, Out out) {
  cladpy_scatter(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_in(map), cladpy_out(out));
}
template <class In, class Map, class Out> void scatter(device_policy, In first, In last, Map map, Out out) {
  cladpy_scatter(cladpy_device(), cladpy_in(first), last - first, cladpy_in(map), cladpy_out(out));
}

// The result may be the range itself: it is made apart.
template <class In, class T, class F> void cladpy_adjacent(cladpy_host, In in, std::size_t n, T *out, F f) {
  if (n == 0) return;
  T before = in[0];
  out[0] = before;
  for (std::size_t i = 1; i < n; ++i) {
    const T own = in[i];
    out[i] = f(own, before);
    before = own;
  }
}
template <class In, class T, class F> void cladpy_adjacent(cladpy_device, In in, std::size_t n, T *out, F f) {
  if (n == 0) return;
  T *made;
  cudaMalloc(&made, n * sizeof(T));
  CLADPY_ALGORITHM((cladpy::algorithms::adjacent<In, T *, F>), cladpy::algorithms::blocks_for(n), 256, in, made, f, n);
  cudaMemcpy(out, made, n * sizeof(T), cudaMemcpyDeviceToDevice);
  cudaFree(made);
}
template <class In, class Out> Out adjacent_difference(In first, In last, Out out) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_adjacent(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_out(out), minus<T>());
  return out + (last - first);
}
template <class In, class Out, class F> Out adjacent_difference(In first, In last, Out out, F f) {
  cladpy_adjacent(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_out(out), f);
  return out + (last - first);
}
template <class In, class Out> Out adjacent_difference(device_policy, In first, In last, Out out) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_adjacent(cladpy_device(), cladpy_in(first), last - first, cladpy_out(out), minus<T>());
  return out + (last - first);
}
template <class In, class Out, class F> Out adjacent_difference(device_policy, In first, In last, Out out, F f) {
  cladpy_adjacent(cladpy_device(), cladpy_in(first), last - first, cladpy_out(out), f);
  return out + (last - first);
}

template <class T> void cladpy_reverse(cladpy_host, T *place, std::size_t n) {
  for (std::size_t i = 0; i < n / 2; ++i) {
    const T first = place[i];
    place[i] = place[n - 1 - i];
    place[n - 1 - i] = first;
  }
}
template <class T> void cladpy_reverse(cladpy_device, T *place, std::size_t n) {
  if (n > 1) CLADPY_ALGORITHM((cladpy::algorithms::reverse<T>), cladpy::algorithms::blocks_for(n), 256, place, n);
}
template <class I> void reverse(I first, I last) {
  cladpy_reverse(typename cladpy_sides<I, I>::side(), cladpy_out(first), last - first);
}
template <class I> void reverse(device_policy, I first, I last) { cladpy_reverse(cladpy_device(), cladpy_out(first), last - first); }

template <class Out, class F> void tabulate(Out first, Out last, F f) {
  cladpy_transform(typename cladpy_sides<Out, Out>::side(), cladpy::algorithms::counting<long>{0}, last - first, cladpy_out(first), f);
}
template <class Out, class F> void tabulate(device_policy, Out first, Out last, F f) {
  cladpy_transform(cladpy_device(), cladpy::algorithms::counting<long>{0}, last - first, cladpy_out(first), f);
}

template <class In, class Out, class F, class Op> Out transform_inclusive_scan(In first, In last, Out out, F f, Op op) {
  return inclusive_scan(make_transform_iterator(first, f), make_transform_iterator(last, f), out, op);
}
template <class In, class Out, class F, class T, class Op>
Out transform_exclusive_scan(In first, In last, Out out, F f, T init, Op op) {
  return exclusive_scan(make_transform_iterator(first, f), make_transform_iterator(last, f), out, init, op);
}
template <class In, class Out, class F, class Op>
Out transform_inclusive_scan(device_policy policy, In first, In last, Out out, F f, Op op) {
  return inclusive_scan(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), out, op);
}
template <class In, class Out, class F, class T, class Op>
Out transform_exclusive_scan(device_policy policy, In first, In last, Out out, F f, T init, Op op) {
  return exclusive_scan(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), out, init, op);
}

// ---- by a condition ----

template <class In, class Stencil, class Out, class F, class P>
void cladpy_transform_if(cladpy_host, In in, std::size_t n, Stencil stencil, Out out, F f, P holds) {
  for (std::size_t i = 0; i < n; ++i)
    if (holds(stencil[i])) out[i] = f(in[i]);
}
template <class In, class Stencil, class Out, class F, class P>
void cladpy_transform_if(cladpy_device, In in, std::size_t n, Stencil stencil, Out out, F f, P holds) {
  if (n)
    CLADPY_ALGORITHM((cladpy::algorithms::transform_if<In, Stencil, Out, F, P>), cladpy::algorithms::blocks_for(n), 256, in, stencil, out, f, holds, n);
}
template <class In, class Out, class F, class P> Out transform_if(In first, In last, Out out, F f, P holds) {
  cladpy_transform_if(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_in(first), cladpy_out(out), f, holds);
  return out + (last - first);
}
template <class In, class Stencil, class Out, class F, class P>
Out transform_if(In first, In last, Stencil stencil, Out out, F f, P holds) {
  cladpy_transform_if(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_in(stencil), cladpy_out(out), f, holds);
  return out + (last - first);
}
template <class In, class Out, class F, class P> Out transform_if(device_policy, In first, In last, Out out, F f, P holds) {
  cladpy_transform_if(cladpy_device(), cladpy_in(first), last - first, cladpy_in(first), cladpy_out(out), f, holds);
  return out + (last - first);
}
template <class In, class Stencil, class Out, class F, class P>
Out transform_if(device_policy, In first, In last, Stencil stencil, Out out, F f, P holds) {
  cladpy_transform_if(cladpy_device(), cladpy_in(first), last - first, cladpy_in(stencil), cladpy_out(out), f, holds);
  return out + (last - first);
}

template <class Side, class T, class Stencil, class P>
void cladpy_replace(Side side, T *out, std::size_t n, Stencil stencil, P holds, T value) {
  cladpy_transform_if(side, cladpy::algorithms::constant<T>{value}, n, stencil, out, cladpy::algorithms::identity<T>(), holds);
}
template <class I, class P, class V> void replace_if(I first, I last, P holds, const V &value) {
  typedef typename cladpy_value<I>::type T;
  cladpy_replace(typename cladpy_sides<I, I>::side(), cladpy_out(first), last - first, cladpy_in(first), holds, static_cast<T>(value));
}
template <class I, class Stencil, class P, class V> void replace_if(I first, I last, Stencil stencil, P holds, const V &value) {
  typedef typename cladpy_value<I>::type T;
  cladpy_replace(typename cladpy_sides<I, I>::side(), cladpy_out(first), last - first, cladpy_in(stencil), holds, static_cast<T>(value));
}
template <class I, class P, class V> void replace_if(device_policy, I first, I last, P holds, const V &value) {
  typedef typename cladpy_value<I>::type T;
  cladpy_replace(cladpy_device(), cladpy_out(first), last - first, cladpy_in(first), holds, static_cast<T>(value));
}
template <class I, class V> void replace(I first, I last, const V &old, const V &value) {
  typedef typename cladpy_value<I>::type T;
  replace_if(first, last, cladpy::algorithms::is<T>{static_cast<T>(old)}, value);
}
template <class I, class V> void replace(device_policy policy, I first, I last, const V &old, const V &value) {
  typedef typename cladpy_value<I>::type T;
  replace_if(policy, first, last, cladpy::algorithms::is<T>{static_cast<T>(old)}, value);
}

// What is kept keeps its order. How many there are decides where the result ends.
template <class In, class Flags, class Out> long cladpy_keep(cladpy_host, In in, std::size_t n, Flags flags, Out out) {
  long count = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (flags[i]) {
      out[count] = in[i];
      ++count;
    }
  return count;
}
template <class In, class Flags, class Out> long cladpy_keep(cladpy_device, In in, std::size_t n, Flags flags, Out out) {
  if (n == 0) return 0;
  long *places = cladpy::algorithms::places_of(flags, n);
  CLADPY_ALGORITHM((cladpy::algorithms::keep<In, Flags, Out>), cladpy::algorithms::blocks_for(n), 256, in, flags, out, places, n);
  const long count = cladpy::algorithms::last_of(places, n);
  cudaFree(places);
  return count;
}
template <class In, class P> cladpy::algorithms::held<In, P> cladpy_held(In in, P holds) { return {in, holds}; }

template <class In, class Out, class P> Out copy_if(In first, In last, Out out, P holds) {
  return out + cladpy_keep(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_held(cladpy_in(first), holds), cladpy_out(out));
}
template <class In, class Stencil, class Out, class P> Out copy_if(In first, In last, Stencil stencil, Out out, P holds) {
  return out + cladpy_keep(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_held(cladpy_in(stencil), holds), cladpy_out(out));
}
template <class In, class Out, class P> Out copy_if(device_policy, In first, In last, Out out, P holds) {
  return out + cladpy_keep(cladpy_device(), cladpy_in(first), last - first, cladpy_held(cladpy_in(first), holds), cladpy_out(out));
}
template <class In, class Stencil, class Out, class P>
Out copy_if(device_policy, In first, In last, Stencil stencil, Out out, P holds) {
  return out + cladpy_keep(cladpy_device(), cladpy_in(first), last - first, cladpy_held(cladpy_in(stencil), holds), cladpy_out(out));
}

// In the range itself: through memory of its own, since threads would meet.
template <class T, class Flags> long cladpy_keep_here(cladpy_host side, T *place, std::size_t n, Flags flags) {
  return cladpy_keep(side, place, n, flags, place);
}
template <class T, class Flags> long cladpy_keep_here(cladpy_device side, T *place, std::size_t n, Flags flags) {
  if (n == 0) return 0;
  T *kept;
  cudaMalloc(&kept, n * sizeof(T));
  const long count = cladpy_keep(side, place, n, flags, kept);
  cudaMemcpy(place, kept, count * sizeof(T), cudaMemcpyDeviceToDevice);
  cudaFree(kept);
  return count;
}
template <class I, class P> I remove_if(I first, I last, P holds) {
  const cladpy::algorithms::negated<P> kept = {holds};
  return first + cladpy_keep_here(typename cladpy_sides<I, I>::side(), cladpy_out(first), last - first, cladpy_held(cladpy_in(first), kept));
}
template <class I, class P> I remove_if(device_policy, I first, I last, P holds) {
  const cladpy::algorithms::negated<P> kept = {holds};
  return first + cladpy_keep_here(cladpy_device(), cladpy_out(first), last - first, cladpy_held(cladpy_in(first), kept));
}
template <class I, class V> I remove(I first, I last, const V &value) {
  typedef typename cladpy_value<I>::type T;
  return remove_if(first, last, cladpy::algorithms::is<T>{static_cast<T>(value)});
}
template <class I, class V> I remove(device_policy policy, I first, I last, const V &value) {
  typedef typename cladpy_value<I>::type T;
  return remove_if(policy, first, last, cladpy::algorithms::is<T>{static_cast<T>(value)});
}

// ---- counts, and places ----

template <class In, class P> std::ptrdiff_t count_if(In first, In last, P holds) {
  return cladpy_reduce(typename cladpy_sides<In, In>::side(), cladpy_in(first), last - first, cladpy::algorithms::counted<P>{holds}, 0L, cladpy::algorithms::plus<long>());
}
template <class In, class P> std::ptrdiff_t count_if(device_policy, In first, In last, P holds) {
  return cladpy_reduce(cladpy_device(), cladpy_in(first), last - first, cladpy::algorithms::counted<P>{holds}, 0L, cladpy::algorithms::plus<long>());
}
template <class In, class V> std::ptrdiff_t count(In first, In last, const V &value) {
  typedef typename cladpy_value<In>::type T;
  return count_if(first, last, cladpy::algorithms::is<T>{static_cast<T>(value)});
}
template <class In, class V> std::ptrdiff_t count(device_policy policy, In first, In last, const V &value) {
  typedef typename cladpy_value<In>::type T;
  return count_if(policy, first, last, cladpy::algorithms::is<T>{static_cast<T>(value)});
}
template <class In, class P> bool any_of(In first, In last, P holds) { return count_if(first, last, holds) > 0; }
template <class In, class P> bool any_of(device_policy policy, In first, In last, P holds) { return count_if(policy, first, last, holds) > 0; }
template <class In, class P> bool none_of(In first, In last, P holds) { return count_if(first, last, holds) == 0; }
template <class In, class P> bool none_of(device_policy policy, In first, In last, P holds) { return count_if(policy, first, last, holds) == 0; }
template <class In, class P> bool all_of(In first, In last, P holds) { return count_if(first, last, holds) == last - first; }
template <class In, class P> bool all_of(device_policy policy, In first, In last, P holds) {
  return count_if(policy, first, last, holds) == last - first;
}
template <class A, class B> bool equal(A first, A last, B second) {
  typedef typename cladpy_value<A>::type T;
  const cladpy::algorithms::differ<cladpy::algorithms::equal_to<T>> differ = {};
  return cladpy_inner(typename cladpy_sides<A, B>::side(), cladpy_in(first), cladpy_in(second), last - first, 0L, cladpy::algorithms::plus<long>(), differ) == 0;
}

// By a comparison of the program's own; of equals the first.
template <class In, class Op> long cladpy_place_by(cladpy_host, In, std::size_t n, Op op) {
  long place = 0;
  for (std::size_t i = 1; i < n; ++i) place = op(place, static_cast<long>(i));
  return place;
}
template <class In, class Op> long cladpy_place_by(cladpy_device side, In, std::size_t n, Op op) {
  return cladpy_reduce(side, cladpy::algorithms::counting<long>{0}, n, cladpy::algorithms::identity<long>(), 0L, op);
}
template <class Side, class In, class Less> long cladpy_largest(Side side, In in, std::size_t n, Less before) {
  return cladpy_place_by(side, in, n, cladpy::algorithms::place_of_larger<In, Less>{in, before});
}
template <class Side, class In, class Less> long cladpy_smallest(Side side, In in, std::size_t n, Less before) {
  return cladpy_place_by(side, in, n, cladpy::algorithms::place_of_smaller<In, Less>{in, before});
}
template <class I, class Less> I max_element(I first, I last, Less before) {
  return first + cladpy_largest(typename cladpy_sides<I, I>::side(), cladpy_in(first), last - first, before);
}
template <class I, class Less> I max_element(device_policy, I first, I last, Less before) {
  return first + cladpy_largest(cladpy_device(), cladpy_in(first), last - first, before);
}
template <class I, class Less> I min_element(I first, I last, Less before) {
  return first + cladpy_smallest(typename cladpy_sides<I, I>::side(), cladpy_in(first), last - first, before);
}
template <class I, class Less> I min_element(device_policy, I first, I last, Less before) {
  return first + cladpy_smallest(cladpy_device(), cladpy_in(first), last - first, before);
}

template <class Side, class In, class P> long cladpy_find(Side side, In in, std::size_t n, P holds) {
  const cladpy::algorithms::place_if<In, P> place = {in, holds, static_cast<long>(n)};
  return cladpy_reduce(side, cladpy::algorithms::counting<long>{0}, n, place, static_cast<long>(n), cladpy::algorithms::smaller<long>());
}
template <class I, class P> I find_if(I first, I last, P holds) {
  return first + cladpy_find(typename cladpy_sides<I, I>::side(), cladpy_in(first), last - first, holds);
}
template <class I, class P> I find_if(device_policy, I first, I last, P holds) {
  return first + cladpy_find(cladpy_device(), cladpy_in(first), last - first, holds);
}
template <class I, class V> I find(I first, I last, const V &value) {
  typedef typename cladpy_value<I>::type T;
  return find_if(first, last, cladpy::algorithms::is<T>{static_cast<T>(value)});
}
template <class I, class V> I find(device_policy policy, I first, I last, const V &value) {
  typedef typename cladpy_value<I>::type T;
  return find_if(policy, first, last, cladpy::algorithms::is<T>{static_cast<T>(value)});
}
// In a range that is sorted: as many are before.
template <class I, class V> I lower_bound(I first, I last, const V &value) {
  typedef typename cladpy_value<I>::type T;
  typedef cladpy::algorithms::is_before<cladpy::algorithms::less<T>, T> Before;
  return first + count_if(first, last, Before{{}, static_cast<T>(value)});
}
template <class I, class V> I upper_bound(I first, I last, const V &value) {
  typedef typename cladpy_value<I>::type T;
  typedef cladpy::algorithms::is_not_after<cladpy::algorithms::less<T>, T> Before;
  return first + count_if(first, last, Before{{}, static_cast<T>(value)});
}

// ---- by runs of equal keys ----

template <class Keys, class In, class KeysOut, class Out, class Equal, class Op>
long cladpy_reduce_runs(cladpy_host, Keys keys, std::size_t n, In in, KeysOut keys_out, Out out, Equal equal, Op op) {
  long count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 || !equal(keys[i - 1], keys[i])) {
      keys_out[count] = keys[i];
      out[count] = in[i];
      ++count;
    } else {
      out[count - 1] = op(out[count - 1], in[i]);
    }
  }
  return count;
}
template <class Keys, class In, class T, class Equal, class Op>
void cladpy_runs(Keys keys, std::size_t n, In in, T *out, Equal equal, Op op, const long *places, long) {
  CLADPY_ALGORITHM((cladpy::algorithms::reduce_runs<Keys, In, T *, Equal, Op>), cladpy::algorithms::blocks_for(n), 256, keys, in, out, equal, op, places, n);
}
// Sums of floating-point numbers are made by all threads.
template <class In, class T> void cladpy_sum_runs(std::size_t n, In in, T *out, const long *places, long count) {
  cudaMemset(out, 0, count * sizeof(T));
  CLADPY_ALGORITHM((cladpy::algorithms::sum_runs<In, T>), cladpy::algorithms::blocks_for(n), 256, in, out, places, n);
}
template <class Keys, class In, class Equal>
void cladpy_runs(Keys, std::size_t n, In in, double *out, Equal, plus<double>, const long *places, long count) {
  cladpy_sum_runs(n, in, out, places, count);
}
template <class Keys, class In, class Equal>
void cladpy_runs(Keys, std::size_t n, In in, float *out, Equal, plus<float>, const long *places, long count) {
  cladpy_sum_runs(n, in, out, places, count);
}
template <class Keys, class In, class KeysOut, class Out, class Equal, class Op>
long cladpy_reduce_runs(cladpy_device, Keys keys, std::size_t n, In in, KeysOut keys_out, Out out, Equal equal, Op op) {
  if (n == 0) return 0;
  typedef cladpy::algorithms::heads<Keys, Equal> Heads;
  const Heads heads = {keys, equal};
  long *places = cladpy::algorithms::places_of(heads, n);
  const long count = cladpy::algorithms::last_of(places, n);
  CLADPY_ALGORITHM((cladpy::algorithms::keep<Keys, Heads, KeysOut>), cladpy::algorithms::blocks_for(n), 256, keys, heads, keys_out, places, n);
  cladpy_runs(keys, n, in, out, equal, op, places, count);
  cudaFree(places);
  return count;
}
template <class Keys, class In, class KeysOut, class Out, class Equal, class Op>
pair<KeysOut, Out> reduce_by_key(Keys first, Keys last, In in, KeysOut keys_out, Out out, Equal equal, Op op) {
  const long count = cladpy_reduce_runs(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_in(in), cladpy_out(keys_out), cladpy_out(out), equal, op);
  return pair<KeysOut, Out>(keys_out + count, out + count);
}
template <class Keys, class In, class KeysOut, class Out, class Equal>
pair<KeysOut, Out> reduce_by_key(Keys first, Keys last, In in, KeysOut keys_out, Out out, Equal equal) {
  return reduce_by_key(first, last, in, keys_out, out, equal, plus<typename cladpy_value<Out>::type>());
}
template <class Keys, class In, class KeysOut, class Out>
pair<KeysOut, Out> reduce_by_key(Keys first, Keys last, In in, KeysOut keys_out, Out out) {
  return reduce_by_key(first, last, in, keys_out, out, cladpy::algorithms::equal_to<typename cladpy_value<Keys>::type>());
}
template <class Keys, class In, class KeysOut, class Out>
pair<KeysOut, Out> reduce_by_key(device_policy, Keys first, Keys last, In in, KeysOut keys_out, Out out) {
  const cladpy::algorithms::equal_to<typename cladpy_value<Keys>::type> equal = {};
  const plus<typename cladpy_value<Out>::type> op = {};
  const long count = cladpy_reduce_runs(cladpy_device(), cladpy_in(first), last - first, cladpy_in(in), cladpy_out(keys_out), cladpy_out(out), equal, op);
  return pair<KeysOut, Out>(keys_out + count, out + count);
}

template <class Keys, class In, class T, class Equal, class Op>
void cladpy_scan_runs(cladpy_host, Keys keys, std::size_t n, In in, T *out, Equal equal, Op op) {
  T own = T();
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 || !equal(keys[i - 1], keys[i])) own = in[i];
    else own = op(own, in[i]);
    out[i] = own;
  }
}
template <class Keys, class In, class T, class Equal, class Op>
void cladpy_scan_runs(cladpy_device, Keys keys, std::size_t n, In in, T *out, Equal equal, Op op) {
  if (n)
    CLADPY_ALGORITHM((cladpy::algorithms::scan_runs<Keys, In, T *, Equal, Op>), cladpy::algorithms::blocks_for(n), 256, keys, in, out, equal, op, n);
}
template <class Keys, class In, class T, class Equal, class Op>
void cladpy_scan_runs(cladpy_host, Keys keys, std::size_t n, In in, T *out, T first, Equal equal, Op op) {
  T own = first;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 || !equal(keys[i - 1], keys[i])) own = first;
    const T next = in[i];
    out[i] = own;
    own = op(own, next);
  }
}
template <class Keys, class In, class T, class Equal, class Op>
void cladpy_scan_runs(cladpy_device, Keys keys, std::size_t n, In in, T *out, T first, Equal equal, Op op) {
  if (n)
    CLADPY_ALGORITHM((cladpy::algorithms::scan_runs_exclusive<Keys, In, T, Equal, Op>), cladpy::algorithms::blocks_for(n), 256, keys, in, out, first, equal, op, n);
}
template <class Keys, class In, class Out, class Equal, class Op>
Out inclusive_scan_by_key(Keys first, Keys last, In in, Out out, Equal equal, Op op) {
  cladpy_scan_runs(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_in(in), cladpy_out(out), equal, op);
  return out + (last - first);
}
template <class Keys, class In, class Out, class Equal>
Out inclusive_scan_by_key(Keys first, Keys last, In in, Out out, Equal equal) {
  return inclusive_scan_by_key(first, last, in, out, equal, plus<typename cladpy_value<Out>::type>());
}
template <class Keys, class In, class Out> Out inclusive_scan_by_key(Keys first, Keys last, In in, Out out) {
  return inclusive_scan_by_key(first, last, in, out, cladpy::algorithms::equal_to<typename cladpy_value<Keys>::type>());
}
template <class Keys, class In, class Out, class V, class Equal, class Op>
Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out, V init, Equal equal, Op op) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_scan_runs(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_in(in), cladpy_out(out), static_cast<T>(init), equal, op);
  return out + (last - first);
}
template <class Keys, class In, class Out, class V, class Equal>
Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out, V init, Equal equal) {
  return exclusive_scan_by_key(first, last, in, out, init, equal, plus<typename cladpy_value<Out>::type>());
}
template <class Keys, class In, class Out, class V> Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out, V init) {
  return exclusive_scan_by_key(first, last, in, out, init, cladpy::algorithms::equal_to<typename cladpy_value<Keys>::type>());
}
template <class Keys, class In, class Out> Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out) {
  typedef typename cladpy_value<Out>::type T;
  return exclusive_scan_by_key(first, last, in, out, T());
}

}  // namespace thrust

#endif
