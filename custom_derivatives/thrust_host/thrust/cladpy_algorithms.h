// Algorithms of Thrust: ranges of the device's memory go through the kernels of <cladpy/algorithms.h>, others through
// loops of the host. Part of <thrust/device_vector.h>, for the front end and for the host backend.
#ifndef CLADPY_THRUST_HOST_ALGORITHMS_H
#define CLADPY_THRUST_HOST_ALGORITHMS_H

#ifndef CLADPY_HOST_H
#define CLADPY_SORTING_IS_READ
#endif
#include <cladpy/algorithms.h>
#include <cladpy/sorting.h>

namespace thrust {

// ---- function objects ----

template <class T = void> struct minus {
  __host__ __device__ T operator()(const T &a, const T &b) const { return a - b; }
};
template <> struct minus<void> {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a - b; }
};
template <class T = void> struct divides {
  __host__ __device__ T operator()(const T &a, const T &b) const { return a / b; }
};
template <> struct divides<void> {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a / b; }
};
template <class T = void> struct negate {
  __host__ __device__ T operator()(const T &a) const { return -a; }
};
template <class T = void> struct square {
  __host__ __device__ T operator()(const T &a) const { return a * a; }
};
template <class T = void> struct identity {
  __host__ __device__ T operator()(const T &a) const { return a; }
};

template <class T = void> struct less {
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
template <> struct less<void> {
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
template <class T = void> struct greater {
  __host__ __device__ bool operator()(const T &a, const T &b) const { return b < a; }
};
template <> struct greater<void> {
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return b < a; }
};

// ---- iterators that count, or stay ----

template <class T> class counting_iterator {
public:
  typedef T value_type;
  explicit counting_iterator(T value = T()) : value_(value) {}
  T operator*() const { return value_; }
  T operator[](std::ptrdiff_t i) const { return value_ + static_cast<T>(i); }
  counting_iterator operator+(std::ptrdiff_t n) const { return counting_iterator(value_ + static_cast<T>(n)); }
  std::ptrdiff_t operator-(const counting_iterator &other) const {
    return static_cast<std::ptrdiff_t>(value_) - static_cast<std::ptrdiff_t>(other.value_);
  }
  cladpy::algorithms::counting<T> range() const { return {value_}; }

private:
  T value_;
};
template <class T> counting_iterator<T> make_counting_iterator(T value) { return counting_iterator<T>(value); }

template <class T> class constant_iterator {
public:
  typedef T value_type;
  explicit constant_iterator(T value, std::ptrdiff_t place = 0) : value_(value), place_(place) {}
  T operator*() const { return value_; }
  T operator[](std::ptrdiff_t) const { return value_; }
  constant_iterator operator+(std::ptrdiff_t n) const { return constant_iterator(value_, place_ + n); }
  std::ptrdiff_t operator-(const constant_iterator &other) const { return place_ - other.place_; }
  cladpy::algorithms::constant<T> range() const { return {value_}; }

private:
  T value_;
  std::ptrdiff_t place_;
};
template <class T> constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }

// ---- where ranges lie ----

struct cladpy_host {};
struct cladpy_device {};
struct cladpy_anywhere {};

struct host_policy {};
struct seq_policy : host_policy {};
struct device_policy {
  device_policy on(cudaStream_t) const { return device_policy(); }
};
static const host_policy host = {};
static const seq_policy seq = {};
static const device_policy device = {};
namespace cuda {
static const device_policy par = {}, par_nosync = {};
}  // namespace cuda

template <class Iterator> struct cladpy_range {
  typedef cladpy_host side;
};
template <class T> struct cladpy_range<device_ptr<T>> {
  typedef cladpy_device side;
};
template <class T> struct cladpy_range<counting_iterator<T>> {
  typedef cladpy_anywhere side;
};
template <class T> struct cladpy_range<constant_iterator<T>> {
  typedef cladpy_anywhere side;
};
template <class A, class B = cladpy_anywhere> struct cladpy_either {
  typedef A side;
};
template <class B> struct cladpy_either<cladpy_anywhere, B> {
  typedef B side;
};
template <> struct cladpy_either<cladpy_anywhere, cladpy_anywhere> {
  typedef cladpy_device side;
};
template <class A, class B> struct cladpy_sides {
  typedef typename cladpy_either<typename cladpy_range<A>::side, typename cladpy_range<B>::side>::side side;
};

// The number that an iterator leads to.
template <class Iterator> struct cladpy_value {
  typedef typename Iterator::value_type type;
};
template <class T> struct cladpy_value<T *> {
  typedef T type;
};
template <class T> struct cladpy_value<const T *> {
  typedef T type;
};

// What kernels are given of an iterator: to read, and to write.
template <class T> const T *cladpy_in(const T *place) { return place; }
template <class T> const T *cladpy_in(device_ptr<T> place) { return place.get(); }
template <class T> cladpy::algorithms::counting<T> cladpy_in(counting_iterator<T> place) { return place.range(); }
template <class T> cladpy::algorithms::constant<T> cladpy_in(constant_iterator<T> place) { return place.range(); }
template <class I, class = typename I::iterator_category> auto cladpy_in(I place) -> decltype(&*place) { return &*place; }
template <class T> T *cladpy_out(T *place) { return place; }
template <class I, class = typename I::iterator_category> auto cladpy_out(I place) -> decltype(&*place) { return &*place; }
template <class T> T *cladpy_out(device_ptr<T> place) { return place.get(); }

// ---- an iterator that calls a function ----

template <class F, class Iterator> class transform_iterator {
public:
  typedef typename std::decay<decltype(
      std::declval<const F &>()(std::declval<const typename cladpy_value<Iterator>::type &>()))>::type value_type;
  transform_iterator(Iterator base, F f) : base_(base), f_(f) {}
  value_type operator*() const { return f_(*base_); }
  value_type operator[](std::ptrdiff_t i) const { return f_(base_[i]); }
  transform_iterator operator+(std::ptrdiff_t n) const { return transform_iterator(base_ + n, f_); }
  std::ptrdiff_t operator-(const transform_iterator &other) const { return base_ - other.base_; }
  const Iterator &base() const { return base_; }
  F functor() const { return f_; }

private:
  Iterator base_;
  F f_;
};
template <class F, class Iterator> transform_iterator<F, Iterator> make_transform_iterator(Iterator base, F f) {
  return transform_iterator<F, Iterator>(base, f);
}
template <class F, class Iterator> struct cladpy_range<transform_iterator<F, Iterator>> {
  typedef typename cladpy_range<Iterator>::side side;
};
template <class F, class Iterator>
auto cladpy_in(const transform_iterator<F, Iterator> &place)
    -> cladpy::algorithms::transformed<decltype(cladpy_in(place.base())), F> {
  return {cladpy_in(place.base()), place.functor()};
}

// ---- by element ----

template <class In, class Out, class F> void cladpy_transform(cladpy_host, In in, std::size_t n, Out out, F f) {
  for (std::size_t i = 0; i < n; ++i) out[i] = f(in[i]);
}
template <class In, class Out, class F> void cladpy_transform(cladpy_device, In in, std::size_t n, Out out, F f) {
  if (n) CLADPY_ALGORITHM((cladpy::algorithms::transform<In, Out, F>), cladpy::algorithms::blocks_for(n), 256, in, out, f, n);
}
template <class A, class B, class Out, class F>
void cladpy_transform(cladpy_host, A a, B b, std::size_t n, Out out, F f) {
  for (std::size_t i = 0; i < n; ++i) out[i] = f(a[i], b[i]);
}
template <class A, class B, class Out, class F>
void cladpy_transform(cladpy_device, A a, B b, std::size_t n, Out out, F f) {
  if (n)
    CLADPY_ALGORITHM((cladpy::algorithms::transform_pairs<A, B, Out, F>), cladpy::algorithms::blocks_for(n), 256, a, b, out, f, n);
}

template <class In, class Out, class F> Out transform(In first, In last, Out out, F f) {
  const std::size_t n = last - first;
  cladpy_transform(typename cladpy_sides<In, Out>::side(), cladpy_in(first), n, cladpy_out(out), f);
  return out + n;
}
template <class A, class B, class Out, class F> Out transform(A first, A last, B second, Out out, F f) {
  const std::size_t n = last - first;
  cladpy_transform(typename cladpy_sides<A, Out>::side(), cladpy_in(first), cladpy_in(second), n, cladpy_out(out), f);
  return out + n;
}
template <class In, class Out, class F> Out transform(device_policy, In first, In last, Out out, F f) {
  const std::size_t n = last - first;
  cladpy_transform(cladpy_device(), cladpy_in(first), n, cladpy_out(out), f);
  return out + n;
}
template <class A, class B, class Out, class F> Out transform(device_policy, A first, A last, B second, Out out, F f) {
  const std::size_t n = last - first;
  cladpy_transform(cladpy_device(), cladpy_in(first), cladpy_in(second), n, cladpy_out(out), f);
  return out + n;
}
template <class In, class Out, class F> Out transform(host_policy, In first, In last, Out out, F f) {
  return transform(first, last, out, f);
}

template <class In, class F> void cladpy_for_each(cladpy_host, In in, std::size_t n, F f) {
  for (std::size_t i = 0; i < n; ++i) f(in[i]);
}
template <class In, class F> void cladpy_for_each(cladpy_device, In in, std::size_t n, F f) {
  if (n) CLADPY_ALGORITHM((cladpy::algorithms::for_each<In, F>), cladpy::algorithms::blocks_for(n), 256, in, f, n);
}
// What is written through the argument is the range's: only numbers that are counted have none.
template <class T> T *cladpy_each(T *place) { return place; }
template <class T> T *cladpy_each(device_ptr<T> place) { return place.get(); }
template <class I, class = typename I::iterator_category> auto cladpy_each(I place) -> decltype(&*place) { return &*place; }
template <class T> cladpy::algorithms::counting<T> cladpy_each(counting_iterator<T> place) { return place.range(); }

template <class In, class F> In for_each(In first, In last, F f) {
  cladpy_for_each(typename cladpy_sides<In, In>::side(), cladpy_each(first), last - first, f);
  return last;
}
template <class In, class F> In for_each(device_policy, In first, In last, F f) {
  cladpy_for_each(cladpy_device(), cladpy_each(first), last - first, f);
  return last;
}
template <class In, class F> In for_each_n(In first, std::size_t n, F f) {
  cladpy_for_each(typename cladpy_sides<In, In>::side(), cladpy_each(first), n, f);
  return first + n;
}
template <class In, class F> In for_each_n(device_policy, In first, std::size_t n, F f) {
  cladpy_for_each(cladpy_device(), cladpy_each(first), n, f);
  return first + n;
}

template <class T> void cladpy_fill(cladpy_host, T *out, std::size_t n, T value) {
  for (std::size_t i = 0; i < n; ++i) out[i] = value;
}
template <class T> void cladpy_fill(cladpy_device, T *out, std::size_t n, T value) {
  if (n) CLADPY_ALGORITHM((cladpy::algorithms::fill<T *, T>), cladpy::algorithms::blocks_for(n), 256, out, value, n);
}
template <class T, class V> void fill(device_ptr<T> first, device_ptr<T> last, const V &value) {
  cladpy_fill(cladpy_device(), first.get(), last - first, static_cast<T>(value));
}
template <class T, class V> void fill(T *first, T *last, const V &value) {
  cladpy_fill(cladpy_host(), first, last - first, static_cast<T>(value));
}
template <class I, class V> void fill(device_policy, I first, I last, const V &value) {
  typedef typename cladpy_value<I>::type T;
  cladpy_fill(cladpy_device(), cladpy_out(first), last - first, static_cast<T>(value));
}
template <class I, class V> I fill_n(I first, std::size_t n, const V &value) {
  fill(first, first + n, value);
  return first + n;
}

template <class T> void cladpy_sequence(T *out, std::size_t n, T first, T step) {
  if (n)
    CLADPY_ALGORITHM((cladpy::algorithms::sequence<T *, T>), cladpy::algorithms::blocks_for(n), 256, out, first, step, n);
}
template <class T> void sequence(device_ptr<T> first, device_ptr<T> last) {
  cladpy_sequence(first.get(), last - first, T(), T(1));
}
template <class T, class V> void sequence(device_ptr<T> first, device_ptr<T> last, V value) {
  cladpy_sequence(first.get(), last - first, static_cast<T>(value), T(1));
}
template <class T, class V> void sequence(device_ptr<T> first, device_ptr<T> last, V value, V step) {
  cladpy_sequence(first.get(), last - first, static_cast<T>(value), static_cast<T>(step));
}
template <class T> void sequence(device_policy, T *first, T *last) { cladpy_sequence(first, last - first, T(), T(1)); }
template <class T> void sequence(device_policy, device_ptr<T> first, device_ptr<T> last) { sequence(first, last); }

// ---- sums ----

template <class T> T cladpy_taken(T *total) {
  T result;
  cudaMemcpy(&result, total, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(total);
  return result;
}
template <class T> T *cladpy_total(const T &value) {
  T *total;
  cudaMalloc(&total, sizeof(T));
  cudaMemcpy(total, &value, sizeof(T), cudaMemcpyHostToDevice);
  return total;
}

template <class In, class F, class T, class Op>
T cladpy_reduce(cladpy_host, In in, std::size_t n, F f, T result, Op op) {
  for (std::size_t i = 0; i < n; ++i) result = op(result, f(in[i]));
  return result;
}
template <class In, class F, class T, class Op>
T cladpy_reduce(cladpy_device, In in, std::size_t n, F f, T init, Op op) {
  if (n == 0) return init;
  T *total = cladpy_total(init);
  cladpy::algorithms::reduce_to(in, f, op, total, n);
  return cladpy_taken(total);
}
template <class In, class F> double cladpy_reduce(cladpy_device, In in, std::size_t n, F f, double init, plus<double>) {
  if (n == 0) return init;
  double *total = cladpy_total(init);
  CLADPY_ALGORITHM((cladpy::algorithms::sum<In, F, double>), cladpy::algorithms::blocks_of_sum(n), 256, in, f, total, n);
  return cladpy_taken(total);
}
template <class In, class F> float cladpy_reduce(cladpy_device, In in, std::size_t n, F f, float init, plus<float>) {
  if (n == 0) return init;
  float *total = cladpy_total(init);
  CLADPY_ALGORITHM((cladpy::algorithms::sum<In, F, float>), cladpy::algorithms::blocks_of_sum(n), 256, in, f, total, n);
  return cladpy_taken(total);
}

template <class In> typename cladpy_value<In>::type reduce(In first, In last) {
  typedef typename cladpy_value<In>::type T;
  return cladpy_reduce(typename cladpy_sides<In, In>::side(), cladpy_in(first), last - first, cladpy::algorithms::identity<T>(), T(), plus<T>());
}
template <class In, class T> T reduce(In first, In last, T init) {
  typedef typename cladpy_value<In>::type V;
  return cladpy_reduce(typename cladpy_sides<In, In>::side(), cladpy_in(first), last - first, cladpy::algorithms::identity<V>(), init, plus<T>());
}
template <class In, class T, class Op> T reduce(In first, In last, T init, Op op) {
  typedef typename cladpy_value<In>::type V;
  return cladpy_reduce(typename cladpy_sides<In, In>::side(), cladpy_in(first), last - first, cladpy::algorithms::identity<V>(), init, op);
}
template <class In> typename cladpy_value<In>::type reduce(device_policy, In first, In last) {
  typedef typename cladpy_value<In>::type T;
  return cladpy_reduce(cladpy_device(), cladpy_in(first), last - first, cladpy::algorithms::identity<T>(), T(), plus<T>());
}
template <class In, class T> T reduce(device_policy, In first, In last, T init) {
  typedef typename cladpy_value<In>::type V;
  return cladpy_reduce(cladpy_device(), cladpy_in(first), last - first, cladpy::algorithms::identity<V>(), init, plus<T>());
}
template <class In, class T, class Op> T reduce(device_policy, In first, In last, T init, Op op) {
  typedef typename cladpy_value<In>::type V;
  return cladpy_reduce(cladpy_device(), cladpy_in(first), last - first, cladpy::algorithms::identity<V>(), init, op);
}

template <class In, class F, class T, class Op> T transform_reduce(In first, In last, F f, T init, Op op) {
  return cladpy_reduce(typename cladpy_sides<In, In>::side(), cladpy_in(first), last - first, f, init, op);
}
template <class In, class F, class T, class Op> T transform_reduce(device_policy, In first, In last, F f, T init, Op op) {
  return cladpy_reduce(cladpy_device(), cladpy_in(first), last - first, f, init, op);
}

template <class A, class B, class T, class Op, class F>
T cladpy_inner(cladpy_host, A a, B b, std::size_t n, T result, Op op, F f) {
  for (std::size_t i = 0; i < n; ++i) result = op(result, f(a[i], b[i]));
  return result;
}
template <class A, class B, class T, class Op, class F>
T cladpy_inner(cladpy_device, A a, B b, std::size_t n, T init, Op op, F f) {
  if (n == 0) return init;
  T *total = cladpy_total(init);
  cladpy::algorithms::reduce_pairs_to(a, b, f, op, total, n);
  return cladpy_taken(total);
}
template <class A, class B, class F>
double cladpy_inner(cladpy_device, A a, B b, std::size_t n, double init, plus<double>, F f) {
  if (n == 0) return init;
  double *total = cladpy_total(init);
  CLADPY_ALGORITHM((cladpy::algorithms::sum_pairs<A, B, F, double>), cladpy::algorithms::blocks_of_sum(n), 256, a, b, f, total, n);
  return cladpy_taken(total);
}
template <class A, class B, class F>
float cladpy_inner(cladpy_device, A a, B b, std::size_t n, float init, plus<float>, F f) {
  if (n == 0) return init;
  float *total = cladpy_total(init);
  CLADPY_ALGORITHM((cladpy::algorithms::sum_pairs<A, B, F, float>), cladpy::algorithms::blocks_of_sum(n), 256, a, b, f, total, n);
  return cladpy_taken(total);
}
template <class A, class B, class T> T inner_product(A first, A last, B second, T init) {
  return cladpy_inner(typename cladpy_sides<A, B>::side(), cladpy_in(first), cladpy_in(second), last - first, init, plus<T>(), multiplies<T>());
}
template <class A, class B, class T, class Op, class F> T inner_product(A first, A last, B second, T init, Op op, F f) {
  return cladpy_inner(typename cladpy_sides<A, B>::side(), cladpy_in(first), cladpy_in(second), last - first, init, op, f);
}
template <class A, class B, class T> T inner_product(device_policy, A first, A last, B second, T init) {
  return cladpy_inner(cladpy_device(), cladpy_in(first), cladpy_in(second), last - first, init, plus<T>(), multiplies<T>());
}
template <class A, class B, class T, class Op, class F>
T inner_product(device_policy, A first, A last, B second, T init, Op op, F f) {
  return cladpy_inner(cladpy_device(), cladpy_in(first), cladpy_in(second), last - first, init, op, f);
}

// ---- scans ----

template <class In, class T, class Op> void cladpy_scan(cladpy_host, In in, std::size_t n, T *out, Op op) {
  if (n == 0) return;
  T own = in[0];
  out[0] = own;
  for (std::size_t i = 1; i < n; ++i) out[i] = own = op(own, in[i]);
}
template <class In, class T, class Op> void cladpy_scan(cladpy_device, In in, std::size_t n, T *out, Op op) {
  if (n) cladpy::algorithms::inclusive_scan<T>(in, out, op, n);
}
template <class In, class T, class Op> void cladpy_scan(cladpy_host, In in, std::size_t n, T *out, T init, Op op) {
  T own = init;
  for (std::size_t i = 0; i < n; ++i) {
    const T next = in[i];
    out[i] = own;
    own = op(own, next);
  }
}
template <class In, class T, class Op> void cladpy_scan(cladpy_device, In in, std::size_t n, T *out, T init, Op op) {
  if (n) cladpy::algorithms::exclusive_scan<T>(in, out, init, op, n);
}

template <class In, class Out> Out inclusive_scan(In first, In last, Out out) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_scan(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_out(out), plus<T>());
  return out + (last - first);
}
template <class In, class Out, class Op> Out inclusive_scan(In first, In last, Out out, Op op) {
  cladpy_scan(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_out(out), op);
  return out + (last - first);
}
template <class In, class Out> Out inclusive_scan(device_policy, In first, In last, Out out) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_scan(cladpy_device(), cladpy_in(first), last - first, cladpy_out(out), plus<T>());
  return out + (last - first);
}
template <class In, class Out, class Op> Out inclusive_scan(device_policy, In first, In last, Out out, Op op) {
  cladpy_scan(cladpy_device(), cladpy_in(first), last - first, cladpy_out(out), op);
  return out + (last - first);
}
template <class In, class Out> Out exclusive_scan(In first, In last, Out out) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_scan(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_out(out), T(), plus<T>());
  return out + (last - first);
}
template <class In, class Out, class V> Out exclusive_scan(In first, In last, Out out, V init) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_scan(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_out(out), static_cast<T>(init), plus<T>());
  return out + (last - first);
}
template <class In, class Out, class V, class Op> Out exclusive_scan(In first, In last, Out out, V init, Op op) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_scan(typename cladpy_sides<In, Out>::side(), cladpy_in(first), last - first, cladpy_out(out), static_cast<T>(init), op);
  return out + (last - first);
}
template <class In, class Out> Out exclusive_scan(device_policy, In first, In last, Out out) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_scan(cladpy_device(), cladpy_in(first), last - first, cladpy_out(out), T(), plus<T>());
  return out + (last - first);
}
template <class In, class Out, class V> Out exclusive_scan(device_policy, In first, In last, Out out, V init) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_scan(cladpy_device(), cladpy_in(first), last - first, cladpy_out(out), static_cast<T>(init), plus<T>());
  return out + (last - first);
}
template <class In, class Out, class V, class Op>
Out exclusive_scan(device_policy, In first, In last, Out out, V init, Op op) {
  typedef typename cladpy_value<Out>::type T;
  cladpy_scan(cladpy_device(), cladpy_in(first), last - first, cladpy_out(out), static_cast<T>(init), op);
  return out + (last - first);
}

// ---- sorts: which order keys come in is found first, and then what is to be moved is ----

template <class T> using cladpy_if_number = typename std::enable_if<std::is_arithmetic<T>::value>::type;

template <class T, class Op> void cladpy_order(cladpy_host, const T *keys, unsigned *order, std::size_t n, Op op) {
  cladpy::sorting::order_by_loops(keys, order, n, op);
}
template <class T, class Op> void cladpy_order(cladpy_device, const T *keys, unsigned *order, std::size_t n, Op op) {
  cladpy::algorithms::order_by(keys, order, n, op);
}
template <class T, class = cladpy_if_number<T>> void cladpy_order(cladpy_device, const T *keys, unsigned *order, std::size_t n, less<T>) {
  cladpy::sorting::order(keys, order, n, false);
}
template <class T, class = cladpy_if_number<T>> void cladpy_order(cladpy_device, const T *keys, unsigned *order, std::size_t n, greater<T>) {
  cladpy::sorting::order(keys, order, n, true);
}
template <class T> less<T> cladpy_comparison(const T *, less<void>) { return less<T>(); }
template <class T> greater<T> cladpy_comparison(const T *, greater<void>) { return greater<T>(); }
template <class T, class Op> Op cladpy_comparison(const T *, Op op) { return op; }

inline unsigned *cladpy_orders(cladpy_host, std::size_t n) { return new unsigned[n]; }
inline unsigned *cladpy_orders(cladpy_device, std::size_t n) {
  unsigned *made;
  cudaMalloc(&made, n * sizeof(unsigned));
  return made;
}
inline void cladpy_done(cladpy_host, unsigned *order) { delete[] order; }
inline void cladpy_done(cladpy_device, unsigned *order) { cudaFree(order); }
template <class T> void cladpy_permute(cladpy_host, T *values, const unsigned *order, std::size_t n) {
  T *const before = new T[n];
  for (std::size_t i = 0; i < n; ++i) before[i] = values[i];
  for (std::size_t i = 0; i < n; ++i) values[i] = before[order[i]];
  delete[] before;
}
template <class T> void cladpy_permute(cladpy_device, T *values, const unsigned *order, std::size_t n) {
  cladpy::algorithms::permute(values, order, n);
}

template <class Side, class T, class Op> void cladpy_sort(Side side, T *keys, std::size_t n, Op op) {
  if (n < 2) return;
  unsigned *const order = cladpy_orders(side, n);
  cladpy_order(side, static_cast<const T *>(keys), order, n, cladpy_comparison(keys, op));
  cladpy_permute(side, keys, order, n);
  cladpy_done(side, order);
}
template <class Side, class T, class V, class Op> void cladpy_sort(Side side, T *keys, V *values, std::size_t n, Op op) {
  if (n < 2) return;
  unsigned *const order = cladpy_orders(side, n);
  cladpy_order(side, static_cast<const T *>(keys), order, n, cladpy_comparison(keys, op));
  cladpy_permute(side, keys, order, n);
  cladpy_permute(side, values, order, n);
  cladpy_done(side, order);
}

#define CLADPY_SORTS(sort)                                                                                             \
  template <class I> void sort(I first, I last) {                                                                      \
    cladpy_sort(typename cladpy_sides<I, I>::side(), cladpy_out(first), last - first, less<void>());                   \
  }                                                                                                                    \
  template <class I, class Op> void sort(I first, I last, Op op) {                                                     \
    cladpy_sort(typename cladpy_sides<I, I>::side(), cladpy_out(first), last - first, op);                             \
  }                                                                                                                    \
  template <class I> void sort(device_policy, I first, I last) {                                                       \
    cladpy_sort(cladpy_device(), cladpy_out(first), last - first, less<void>());                                       \
  }                                                                                                                    \
  template <class I, class Op> void sort(device_policy, I first, I last, Op op) {                                      \
    cladpy_sort(cladpy_device(), cladpy_out(first), last - first, op);                                                 \
  }                                                                                                                    \
  template <class I, class V> void sort##_by_key(I first, I last, V values) {                                          \
    cladpy_sort(typename cladpy_sides<I, I>::side(), cladpy_out(first), cladpy_out(values), last - first, less<void>()); \
  }                                                                                                                    \
  template <class I, class V, class Op> void sort##_by_key(I first, I last, V values, Op op) {                         \
    cladpy_sort(typename cladpy_sides<I, I>::side(), cladpy_out(first), cladpy_out(values), last - first, op);         \
  }                                                                                                                    \
  template <class I, class V> void sort##_by_key(device_policy, I first, I last, V values) {                           \
    cladpy_sort(cladpy_device(), cladpy_out(first), cladpy_out(values), last - first, less<void>());                   \
  }                                                                                                                    \
  template <class I, class V, class Op> void sort##_by_key(device_policy, I first, I last, V values, Op op) {          \
    cladpy_sort(cladpy_device(), cladpy_out(first), cladpy_out(values), last - first, op);                             \
  }
CLADPY_SORTS(sort)
CLADPY_SORTS(stable_sort)
#undef CLADPY_SORTS

// ---- the first of the largest, or smallest ----

template <class T> std::size_t cladpy_place(cladpy_host, const T *keys, std::size_t n, bool largest) {
  return cladpy::sorting::first_of(keys, n, largest);
}
template <class T> std::size_t cladpy_place(cladpy_device, const T *keys, std::size_t n, bool largest) {
  return cladpy::sorting::place(keys, n, largest);
}
#define CLADPY_ELEMENT(element, largest)                                                                               \
  template <class I> I element(I first, I last) {                                                                      \
    if (last - first < 2) return first;                                                                                \
    return first + cladpy_place(typename cladpy_sides<I, I>::side(), cladpy_in(first), last - first, largest);         \
  }                                                                                                                    \
  template <class I> I element(device_policy, I first, I last) {                                                       \
    if (last - first < 2) return first;                                                                                \
    return first + cladpy_place(cladpy_device(), cladpy_in(first), last - first, largest);                             \
  }
CLADPY_ELEMENT(max_element, true)
CLADPY_ELEMENT(min_element, false)
#undef CLADPY_ELEMENT

// ---- what has no derivative here: calls are refused by name ----

template <class I, class... More> I partition(I, I, More...);
template <class I, class... More> I partition(device_policy, I, I, More...);
template <class I, class... More> I generate(I, I, More...);
template <class I, class... More> I generate(device_policy, I, I, More...);
template <class I, class... More> bool is_sorted(I, I, More...);
template <class I, class... More> bool is_sorted(device_policy, I, I, More...);

}  // namespace thrust

#endif
