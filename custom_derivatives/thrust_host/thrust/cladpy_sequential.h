// Algorithms of Thrust by the policy seq: loops of the thread that calls them, in kernels too. Part of
// <thrust/device_vector.h>, for the front end and for the host backend.
#ifndef CLADPY_THRUST_HOST_SEQUENTIAL_H
#define CLADPY_THRUST_HOST_SEQUENTIAL_H

namespace thrust {

template <class In, class Out, class F>
__host__ __device__ Out transform(seq_policy, In first, In last, Out out, F f) {
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = f(first[i]);
  return out + n;
}
template <class A, class B, class Out, class F>
__host__ __device__ Out transform(seq_policy, A first, A last, B second, Out out, F f) {
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = f(first[i], second[i]);
  return out + n;
}
template <class In, class F> __host__ __device__ In for_each(seq_policy, In first, In last, F f) {
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t i = 0; i < n; ++i) f(first[i]);
  return last;
}
template <class I, class V> __host__ __device__ void fill(seq_policy, I first, I last, const V &value) {
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t i = 0; i < n; ++i) first[i] = value;
}
template <class In, class Out> __host__ __device__ Out copy(seq_policy, In first, In last, Out out) {
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = first[i];
  return out + n;
}

template <class In, class F, class T, class Op>
__host__ __device__ T transform_reduce(seq_policy, In first, In last, F f, T result, Op op) {
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t i = 0; i < n; ++i) result = op(result, f(first[i]));
  return result;
}
template <class In, class T, class Op> __host__ __device__ T reduce(seq_policy, In first, In last, T result, Op op) {
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t i = 0; i < n; ++i) result = op(result, first[i]);
  return result;
}
template <class In, class T> __host__ __device__ T reduce(seq_policy policy, In first, In last, T init) {
  return reduce(policy, first, last, init, plus<T>());
}
template <class In> __host__ __device__ typename cladpy_value<In>::type reduce(seq_policy policy, In first, In last) {
  typedef typename cladpy_value<In>::type T;
  return reduce(policy, first, last, T(), plus<T>());
}
template <class A, class B, class T, class Op, class F>
__host__ __device__ T inner_product(seq_policy, A first, A last, B second, T result, Op op, F f) {
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t i = 0; i < n; ++i) result = op(result, f(first[i], second[i]));
  return result;
}
template <class A, class B, class T>
__host__ __device__ T inner_product(seq_policy policy, A first, A last, B second, T init) {
  return inner_product(policy, first, last, second, init, plus<T>(), multiplies<T>());
}

template <class In, class Out, class Op>
__host__ __device__ Out inclusive_scan(seq_policy, In first, In last, Out out, Op op) {
  typedef typename cladpy_value<Out>::type T;
  const std::ptrdiff_t n = last - first;
  if (n > 0) {
    T own = first[0];
    out[0] = own;
    for (std::ptrdiff_t i = 1; i < n; ++i) out[i] = own = op(own, first[i]);
  }
  return out + n;
}
template <class In, class Out> __host__ __device__ Out inclusive_scan(seq_policy policy, In first, In last, Out out) {
  return inclusive_scan(policy, first, last, out, plus<typename cladpy_value<Out>::type>());
}
template <class In, class Out, class V, class Op>
__host__ __device__ Out exclusive_scan(seq_policy, In first, In last, Out out, V init, Op op) {
  typedef typename cladpy_value<Out>::type T;
  const std::ptrdiff_t n = last - first;
  T own = static_cast<T>(init);
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const T next = first[i];
    out[i] = own;
    own = op(own, next);
  }
  return out + n;
}
template <class In, class Out, class V>
__host__ __device__ Out exclusive_scan(seq_policy policy, In first, In last, Out out, V init) {
  return exclusive_scan(policy, first, last, out, init, plus<typename cladpy_value<Out>::type>());
}
template <class In, class Out> __host__ __device__ Out exclusive_scan(seq_policy policy, In first, In last, Out out) {
  typedef typename cladpy_value<Out>::type T;
  return exclusive_scan(policy, first, last, out, T(), plus<T>());
}

template <class In, class Less> __host__ __device__ In max_element(seq_policy, In first, In last, Less less_) {
  const std::ptrdiff_t n = last - first;
  std::ptrdiff_t most = 0;
  for (std::ptrdiff_t i = 1; i < n; ++i)
    if (less_(first[most], first[i])) most = i;
  return n > 0 ? first + most : last;
}
template <class In> __host__ __device__ In max_element(seq_policy policy, In first, In last) {
  return max_element(policy, first, last, less<typename cladpy_value<In>::type>());
}
template <class In, class Less> __host__ __device__ In min_element(seq_policy, In first, In last, Less less_) {
  const std::ptrdiff_t n = last - first;
  std::ptrdiff_t least = 0;
  for (std::ptrdiff_t i = 1; i < n; ++i)
    if (less_(first[i], first[least])) least = i;
  return n > 0 ? first + least : last;
}
template <class In> __host__ __device__ In min_element(seq_policy policy, In first, In last) {
  return min_element(policy, first, last, less<typename cladpy_value<In>::type>());
}

}  // namespace thrust

#endif
