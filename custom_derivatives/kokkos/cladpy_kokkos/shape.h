// What the type of a view says of its elements and extents, and the extents and strides that it has.
#pragma once

#include <cladpy_kokkos/spaces.h>

#include <type_traits>
#include <utility>

namespace Kokkos {
namespace cladpy_kokkos {

// `double *[3]` by its parts: the type of elements, how many extents are known at run time only, and the others.
template <class T>
struct data_type {
  using value = T;
  static constexpr int rank = 0, dynamic = 0;
  template <int i> static constexpr std::size_t known = 0;
};
template <class T>
struct data_type<T *> {
  using value = typename data_type<T>::value;
  static constexpr int rank = data_type<T>::rank + 1, dynamic = data_type<T>::dynamic + 1;
  template <int i> static constexpr std::size_t known = i < dynamic ? 0 : data_type<T>::template known<(i > 0 ? i - 1 : 0)>;
};
template <class T, std::size_t n>
struct data_type<T[n]> {
  using value = typename data_type<T>::value;
  static constexpr int rank = data_type<T>::rank + 1, dynamic = data_type<T>::dynamic;
  // those that are known at run time only come first, wherever the type has them
  template <int i>
  static constexpr std::size_t known = i < dynamic    ? 0
                                       : i == dynamic ? n
                                                      : data_type<T>::template known<(i > 0 ? i - 1 : 0)>;
};
// const belongs to the elements
template <class T>
struct data_type<T *const> : data_type<T *> {};

// One dimension of a view; `unit` is the one whose stride is one, if that is known. Emitted code asks for the numbers by
// these names, so each has its own. `stride_` and `unit_` are what subscripts alone are multiplied by: different ones within
// the extents lead to different elements, which the analysis of races counts on. What a program asks for is another number.
template <int k, class D, int unit>
struct dimension;
#define CLADPY_KOKKOS_DIMENSION(k)                                                                                       \
  template <class D, int unit>                                                                                           \
  struct dimension<k, D, unit> {                                                                                         \
    std::size_t extent_##k##_, stride_##k##_, asked_stride_##k##_;                                                       \
    __host__ __device__ long extent_at() const {                                                                         \
      return data_type<D>::template known<k> != 0 ? long(data_type<D>::template known<k>) : long(extent_##k##_);         \
    }                                                                                                                    \
    __host__ __device__ long stride_at() const { return long(stride_##k##_); }                                           \
    __host__ __device__ long asked_stride() const { return long(asked_stride_##k##_); }                                  \
    __host__ __device__ long along(long i) const { return i * long(stride_##k##_); }                                     \
    __host__ __device__ void be(std::size_t extent, std::size_t stride, std::size_t asked) {                             \
      extent_##k##_ = extent, stride_##k##_ = stride, asked_stride_##k##_ = asked;                                       \
    }                                                                                                                    \
  };                                                                                                                     \
  template <class D>                                                                                                     \
  struct dimension<k, D, k> {                                                                                            \
    std::size_t extent_##k##_, unit_##k##_;                                                                              \
    __host__ __device__ long extent_at() const {                                                                         \
      return data_type<D>::template known<k> != 0 ? long(data_type<D>::template known<k>) : long(extent_##k##_);         \
    }                                                                                                                    \
    __host__ __device__ long stride_at() const { return data_type<D>::rank == 1 ? 1 : long(unit_##k##_); }               \
    __host__ __device__ long asked_stride() const { return 1; }                                                          \
    __host__ __device__ long along(long i) const { return data_type<D>::rank == 1 ? i : i * long(unit_##k##_); }         \
    __host__ __device__ void be(std::size_t extent, std::size_t stride, std::size_t) {                                   \
      extent_##k##_ = extent, unit_##k##_ = stride;                                                                      \
    }                                                                                                                    \
  };
CLADPY_KOKKOS_DIMENSION(0)
CLADPY_KOKKOS_DIMENSION(1)
CLADPY_KOKKOS_DIMENSION(2)
CLADPY_KOKKOS_DIMENSION(3)
CLADPY_KOKKOS_DIMENSION(4)
CLADPY_KOKKOS_DIMENSION(5)
CLADPY_KOKKOS_DIMENSION(6)
CLADPY_KOKKOS_DIMENSION(7)
#undef CLADPY_KOKKOS_DIMENSION

// The dimensions of a view.
template <class D, int unit, class Indices>
struct dimensions;
template <class D, int unit, int... k>
struct dimensions<D, unit, std::integer_sequence<int, k...>> : dimension<k, D, unit>... {
  template <class... I>
  __host__ __device__ long offset(I... i) const {
    if constexpr (sizeof...(k) == 0) return 0;
    else return (... + dimension<k, D, unit>::along(i));
  }
  __host__ __device__ long count() const {
    if constexpr (sizeof...(k) == 0) return 1;
    else return (... * dimension<k, D, unit>::extent_at());
  }
  template <class Other>
  __host__ __device__ void take(const Other &other) {
    (dimension<k, D, unit>::be(other.template at<k>().extent_at(), other.template at<k>().stride_at(), other.template at<k>().asked_stride()), ...);
  }
};

template <class D, int rank, int unit>
struct shape : dimensions<D, unit, std::make_integer_sequence<int, rank>> {
  template <int k>
  __host__ __device__ const dimension<k, D, unit> &at() const { return *this; }
  template <int k>
  __host__ __device__ void be(std::size_t extent, std::size_t stride, std::size_t asked) { dimension<k, D, unit>::be(extent, stride, asked); }

  // Each is one expression, so that what asks for it in a condition stays one.
  template <class I>
  __host__ __device__ std::size_t extent(I of) const { return extent_from<0>(of); }
  template <class I>
  __host__ __device__ std::size_t stride(I of) const { return stride_from<0>(of); }

  // Elements side by side, in the order of a layout.
  template <class... N>
  __host__ __device__ void set(bool left, N... n) {
    if (left) set_left<0>(1, n...);
    else set_right<0>(1, n...);
  }
  template <int k = 0, class Layout>
  __host__ __device__ void set_strides(const Layout &layout) {
    if constexpr (k < rank) {
      dimension<k, D, unit>::be(layout.dimension[k], layout.stride[k], layout.stride[k]);
      set_strides<k + 1>(layout);
    }
  }
  // In memory whose elements are so far apart.
  template <class... N>
  __host__ __device__ void set_apart(long step, N... n) { set_right<0>(step, n...); }

 private:
  template <int k>
  __host__ __device__ std::size_t extent_from(int of) const {
    if constexpr (k == rank) return 1;
    else return of == k ? at<k>().extent_at() : extent_from<k + 1>(of);
  }
  template <int k>
  __host__ __device__ std::size_t stride_from(int of) const {
    if constexpr (k == rank) return 0;
    else return of == k ? at<k>().asked_stride() : stride_from<k + 1>(of);
  }
  template <int k, class... N>
  __host__ __device__ void set_left(long step, std::size_t n = 0, N... rest) {
    if constexpr (k < rank) {
      dimension<k, D, unit>::be(n, step, step);
      set_left<k + 1>(step * at<k>().extent_at(), rest...);
    }
  }
  template <int k, class... N>
  __host__ __device__ long set_right(long step, std::size_t n = 0, N... rest) {
    if constexpr (k < rank) {
      const long inner = set_right<k + 1>(step, rest...);
      dimension<k, D, unit>::be(n, inner, inner);
      return inner * at<k>().extent_at();
    } else {
      return step;
    }
  }
};

}  // namespace cladpy_kokkos
}  // namespace Kokkos
