// Tuples of Thrust: their elements lie in order, as in the real ones.
#ifndef CLADPY_THRUST_HOST_TUPLE_H
#define CLADPY_THRUST_HOST_TUPLE_H

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace thrust {

using std::max;
using std::min;

template <std::size_t I, class T> struct cladpy_leaf {
  T element;
  __host__ __device__ cladpy_leaf() : element() {}
  __host__ __device__ cladpy_leaf(const T &value) : element(value) {}
};
template <std::size_t I, class T> struct cladpy_leaf<I, T &> {
  T &element;
  __host__ __device__ cladpy_leaf(T &value) : element(value) {}
};
template <std::size_t I, class T> __host__ __device__ T &cladpy_element(cladpy_leaf<I, T> &leaf) { return leaf.element; }
template <std::size_t I, class T> __host__ __device__ const T &cladpy_element(const cladpy_leaf<I, T> &leaf) { return leaf.element; }

template <class Places, class... T> struct cladpy_leaves;
template <std::size_t... I, class... T> struct cladpy_leaves<std::index_sequence<I...>, T...> : cladpy_leaf<I, T>... {
  __host__ __device__ cladpy_leaves() {}
  __host__ __device__ cladpy_leaves(int, const T &...values) : cladpy_leaf<I, T>(values)... {}
  template <class Other> __host__ __device__ cladpy_leaves(const Other &other) : cladpy_leaf<I, T>(cladpy_element<I>(other))... {}
  template <class Other> __host__ __device__ void assign(const Other &other) {
    const int done[] = {(cladpy_element<I>(*this) = cladpy_element<I>(other), 0)...};
    (void)done;
  }
};

template <class... T> class tuple : public cladpy_leaves<std::index_sequence_for<T...>, T...> {
  typedef cladpy_leaves<std::index_sequence_for<T...>, T...> Leaves;

public:
  __host__ __device__ tuple() {}
  __host__ __device__ tuple(const T &...values) : Leaves(0, values...) {}
  __host__ __device__ tuple(const tuple &other) : Leaves(other) {}
  template <class... U, class = typename std::enable_if<sizeof...(U) == sizeof...(T)>::type>
  __host__ __device__ tuple(const tuple<U...> &other) : Leaves(other) {}
  __host__ __device__ tuple &operator=(const tuple &other) {
    this->assign(other);
    return *this;
  }
  template <class... U> __host__ __device__ tuple &operator=(const tuple<U...> &other) {
    this->assign(other);
    return *this;
  }
  template <class A, class B> __host__ __device__ tuple &operator=(const std::pair<A, B> &other) {
    static_assert(sizeof...(T) == 2, "a pair has two elements");
    cladpy_element<0>(*this) = other.first;
    cladpy_element<1>(*this) = other.second;
    return *this;
  }
};

template <std::size_t I, class T> struct tuple_element;
template <std::size_t I, class... T> struct tuple_element<I, tuple<T...>> : std::tuple_element<I, std::tuple<T...>> {};
template <class T> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};

using std::get;
template <std::size_t I, class... T>
__host__ __device__ typename tuple_element<I, tuple<T...>>::type &get(tuple<T...> &t) {
  return cladpy_element<I>(t);
}
template <std::size_t I, class... T>
__host__ __device__ const typename tuple_element<I, tuple<T...>>::type &get(const tuple<T...> &t) {
  return cladpy_element<I>(t);
}
template <std::size_t I, class... T>
__host__ __device__ typename tuple_element<I, tuple<T...>>::type &&get(tuple<T...> &&t) {
  return static_cast<typename tuple_element<I, tuple<T...>>::type &&>(cladpy_element<I>(t));
}
template <class... T> __host__ __device__ tuple<T...> make_tuple(const T &...values) { return tuple<T...>(values...); }
template <class... T> __host__ __device__ tuple<T &...> tie(T &...values) { return tuple<T &...>(values...); }

// A function of several arguments as one of a tuple.
template <class F> class zip_function {
public:
  __host__ __device__ zip_function(F f) : f_(f) {}
  template <class... T> __host__ __device__ auto operator()(const tuple<T...> &t) const -> decltype(auto) {
    return called(t, std::index_sequence_for<T...>());
  }

private:
  template <class Tuple, std::size_t... I>
  __host__ __device__ auto called(const Tuple &t, std::index_sequence<I...>) const -> decltype(auto) {
    return f_(cladpy_element<I>(t)...);
  }
  mutable F f_;
};
template <class F> __host__ __device__ zip_function<F> make_zip_function(F f) { return zip_function<F>(f); }

}  // namespace thrust

template <class... T> struct std::tuple_size<thrust::tuple<T...>> : thrust::tuple_size<thrust::tuple<T...>> {};
template <std::size_t I, class... T> struct std::tuple_element<I, thrust::tuple<T...>> : thrust::tuple_element<I, thrust::tuple<T...>> {};

#endif
