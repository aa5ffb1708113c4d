// What the type of a view says of its elements and extents, and the extents and strides that it has.
#pragma once

#include <cladpy_kokkos/spaces.h>

#include <type_traits>

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

// The extents and strides of a view; `unit` is the dimension whose stride is one, if that is known.
template <class D, int rank, int unit>
struct shape;

// Each is one expression, so that what asks for it in a condition stays one.
#define CLADPY_KOKKOS_DIMENSION(k)                                                                                     \
  std::size_t extent_##k##_, stride_##k##_;                                                                            \
  __host__ __device__ long extent_at_##k() const {                                                                     \
    return data_type<D>::template known<k> != 0 ? long(data_type<D>::template known<k>) : long(extent_##k##_);         \
  }                                                                                                                    \
  __host__ __device__ long stride_at_##k() const { return unit == k ? 1 : long(stride_##k##_); }                       \
  __host__ __device__ long along_##k(long i) const { return unit == k ? i : i * long(stride_##k##_); }
#define CLADPY_KOKKOS_TAKE(k)           \
  extent_##k##_ = other.extent_at_##k(); \
  stride_##k##_ = other.stride_at_##k();

template <class D, int unit>
struct shape<D, 0, unit> {
  template <class I>
  __host__ __device__ std::size_t extent(I) const { return 1; }
  __host__ __device__ long offset() const { return 0; }
  __host__ __device__ long count() const { return 1; }
  __host__ __device__ void set(bool) {}
  template <class Other>
  __host__ __device__ void take(const Other &) {}
};
template <class D, int unit>
struct shape<D, 1, unit> {
  CLADPY_KOKKOS_DIMENSION(0)
  template <class I>
  __host__ __device__ std::size_t extent(I dimension) const {
    return dimension == 0 ? extent_at_0() : 1;
  }
  template <class I>
  __host__ __device__ std::size_t stride(I dimension) const {
    return dimension == 0 ? stride_at_0() : 0;
  }
  __host__ __device__ long offset(long i0) const {
    return along_0(i0);
  }
  __host__ __device__ long count() const {
    return extent_at_0();
  }
  __host__ __device__ void set(bool left, std::size_t n0 = 0) {
    extent_0_ = n0;
    stride_0_ = 1;
  }
  template <class Other>
  __host__ __device__ void take(const Other &other) {
    CLADPY_KOKKOS_TAKE(0)
  }
};
template <class D, int unit>
struct shape<D, 2, unit> {
  CLADPY_KOKKOS_DIMENSION(0)
  CLADPY_KOKKOS_DIMENSION(1)
  template <class I>
  __host__ __device__ std::size_t extent(I dimension) const {
    return dimension == 0 ? extent_at_0() : dimension == 1 ? extent_at_1() : 1;
  }
  template <class I>
  __host__ __device__ std::size_t stride(I dimension) const {
    return dimension == 0 ? stride_at_0() : dimension == 1 ? stride_at_1() : 0;
  }
  __host__ __device__ long offset(long i0, long i1) const {
    return along_0(i0) + along_1(i1);
  }
  __host__ __device__ long count() const {
    return extent_at_0() * extent_at_1();
  }
  __host__ __device__ void set(bool left, std::size_t n0 = 0, std::size_t n1 = 0) {
    extent_0_ = n0;
    extent_1_ = n1;
    if (left) {
      stride_0_ = 1;
      stride_1_ = stride_0_ * extent_at_0();
    } else {
      stride_1_ = 1;
      stride_0_ = stride_1_ * extent_at_1();
    }
  }
  template <class Other>
  __host__ __device__ void take(const Other &other) {
    CLADPY_KOKKOS_TAKE(0)
    CLADPY_KOKKOS_TAKE(1)
  }
};
template <class D, int unit>
struct shape<D, 3, unit> {
  CLADPY_KOKKOS_DIMENSION(0)
  CLADPY_KOKKOS_DIMENSION(1)
  CLADPY_KOKKOS_DIMENSION(2)
  template <class I>
  __host__ __device__ std::size_t extent(I dimension) const {
    return dimension == 0 ? extent_at_0() : dimension == 1 ? extent_at_1() : dimension == 2 ? extent_at_2() : 1;
  }
  template <class I>
  __host__ __device__ std::size_t stride(I dimension) const {
    return dimension == 0 ? stride_at_0() : dimension == 1 ? stride_at_1() : dimension == 2 ? stride_at_2() : 0;
  }
  __host__ __device__ long offset(long i0, long i1, long i2) const {
    return along_0(i0) + along_1(i1) + along_2(i2);
  }
  __host__ __device__ long count() const {
    return extent_at_0() * extent_at_1() * extent_at_2();
  }
  __host__ __device__ void set(bool left, std::size_t n0 = 0, std::size_t n1 = 0, std::size_t n2 = 0) {
    extent_0_ = n0;
    extent_1_ = n1;
    extent_2_ = n2;
    if (left) {
      stride_0_ = 1;
      stride_1_ = stride_0_ * extent_at_0();
      stride_2_ = stride_1_ * extent_at_1();
    } else {
      stride_2_ = 1;
      stride_1_ = stride_2_ * extent_at_2();
      stride_0_ = stride_1_ * extent_at_1();
    }
  }
  template <class Other>
  __host__ __device__ void take(const Other &other) {
    CLADPY_KOKKOS_TAKE(0)
    CLADPY_KOKKOS_TAKE(1)
    CLADPY_KOKKOS_TAKE(2)
  }
};
template <class D, int unit>
struct shape<D, 4, unit> {
  CLADPY_KOKKOS_DIMENSION(0)
  CLADPY_KOKKOS_DIMENSION(1)
  CLADPY_KOKKOS_DIMENSION(2)
  CLADPY_KOKKOS_DIMENSION(3)
  template <class I>
  __host__ __device__ std::size_t extent(I dimension) const {
    return dimension == 0 ? extent_at_0()
           : dimension == 1 ? extent_at_1()
           : dimension == 2 ? extent_at_2()
           : dimension == 3 ? extent_at_3()
           : 1;
  }
  template <class I>
  __host__ __device__ std::size_t stride(I dimension) const {
    return dimension == 0 ? stride_at_0()
           : dimension == 1 ? stride_at_1()
           : dimension == 2 ? stride_at_2()
           : dimension == 3 ? stride_at_3()
           : 0;
  }
  __host__ __device__ long offset(long i0, long i1, long i2, long i3) const {
    return along_0(i0) + along_1(i1) + along_2(i2) + along_3(i3);
  }
  __host__ __device__ long count() const {
    return extent_at_0() * extent_at_1() * extent_at_2() * extent_at_3();
  }
  __host__ __device__ void set(bool left, std::size_t n0 = 0, std::size_t n1 = 0, std::size_t n2 = 0, 
      std::size_t n3 = 0) {
    extent_0_ = n0;
    extent_1_ = n1;
    extent_2_ = n2;
    extent_3_ = n3;
    if (left) {
      stride_0_ = 1;
      stride_1_ = stride_0_ * extent_at_0();
      stride_2_ = stride_1_ * extent_at_1();
      stride_3_ = stride_2_ * extent_at_2();
    } else {
      stride_3_ = 1;
      stride_2_ = stride_3_ * extent_at_3();
      stride_1_ = stride_2_ * extent_at_2();
      stride_0_ = stride_1_ * extent_at_1();
    }
  }
  template <class Other>
  __host__ __device__ void take(const Other &other) {
    CLADPY_KOKKOS_TAKE(0)
    CLADPY_KOKKOS_TAKE(1)
    CLADPY_KOKKOS_TAKE(2)
    CLADPY_KOKKOS_TAKE(3)
  }
};
template <class D, int unit>
struct shape<D, 5, unit> {
  CLADPY_KOKKOS_DIMENSION(0)
  CLADPY_KOKKOS_DIMENSION(1)
  CLADPY_KOKKOS_DIMENSION(2)
  CLADPY_KOKKOS_DIMENSION(3)
  CLADPY_KOKKOS_DIMENSION(4)
  template <class I>
  __host__ __device__ std::size_t extent(I dimension) const {
    return dimension == 0 ? extent_at_0()
           : dimension == 1 ? extent_at_1()
           : dimension == 2 ? extent_at_2()
           : dimension == 3 ? extent_at_3()
           : dimension == 4 ? extent_at_4()
           : 1;
  }
  template <class I>
  __host__ __device__ std::size_t stride(I dimension) const {
    return dimension == 0 ? stride_at_0()
           : dimension == 1 ? stride_at_1()
           : dimension == 2 ? stride_at_2()
           : dimension == 3 ? stride_at_3()
           : dimension == 4 ? stride_at_4()
           : 0;
  }
  __host__ __device__ long offset(long i0, long i1, long i2, long i3, long i4) const {
    return along_0(i0) + along_1(i1) + along_2(i2) + along_3(i3) + along_4(i4);
  }
  __host__ __device__ long count() const {
    return extent_at_0() * extent_at_1() * extent_at_2() * extent_at_3() * extent_at_4();
  }
  __host__ __device__ void set(bool left, std::size_t n0 = 0, std::size_t n1 = 0, std::size_t n2 = 0, 
      std::size_t n3 = 0, std::size_t n4 = 0) {
    extent_0_ = n0;
    extent_1_ = n1;
    extent_2_ = n2;
    extent_3_ = n3;
    extent_4_ = n4;
    if (left) {
      stride_0_ = 1;
      stride_1_ = stride_0_ * extent_at_0();
      stride_2_ = stride_1_ * extent_at_1();
      stride_3_ = stride_2_ * extent_at_2();
      stride_4_ = stride_3_ * extent_at_3();
    } else {
      stride_4_ = 1;
      stride_3_ = stride_4_ * extent_at_4();
      stride_2_ = stride_3_ * extent_at_3();
      stride_1_ = stride_2_ * extent_at_2();
      stride_0_ = stride_1_ * extent_at_1();
    }
  }
  template <class Other>
  __host__ __device__ void take(const Other &other) {
    CLADPY_KOKKOS_TAKE(0)
    CLADPY_KOKKOS_TAKE(1)
    CLADPY_KOKKOS_TAKE(2)
    CLADPY_KOKKOS_TAKE(3)
    CLADPY_KOKKOS_TAKE(4)
  }
};
template <class D, int unit>
struct shape<D, 6, unit> {
  CLADPY_KOKKOS_DIMENSION(0)
  CLADPY_KOKKOS_DIMENSION(1)
  CLADPY_KOKKOS_DIMENSION(2)
  CLADPY_KOKKOS_DIMENSION(3)
  CLADPY_KOKKOS_DIMENSION(4)
  CLADPY_KOKKOS_DIMENSION(5)
  template <class I>
  __host__ __device__ std::size_t extent(I dimension) const {
    return dimension == 0 ? extent_at_0()
           : dimension == 1 ? extent_at_1()
           : dimension == 2 ? extent_at_2()
           : dimension == 3 ? extent_at_3()
           : dimension == 4 ? extent_at_4()
           : dimension == 5 ? extent_at_5()
           : 1;
  }
  template <class I>
  __host__ __device__ std::size_t stride(I dimension) const {
    return dimension == 0 ? stride_at_0()
           : dimension == 1 ? stride_at_1()
           : dimension == 2 ? stride_at_2()
           : dimension == 3 ? stride_at_3()
           : dimension == 4 ? stride_at_4()
           : dimension == 5 ? stride_at_5()
           : 0;
  }
  __host__ __device__ long offset(long i0, long i1, long i2, long i3, long i4, long i5) const {
    return along_0(i0) + along_1(i1) + along_2(i2) + along_3(i3) + along_4(i4) + 
      along_5(i5);
  }
  __host__ __device__ long count() const {
    return extent_at_0() * extent_at_1() * extent_at_2() * extent_at_3() * extent_at_4() * extent_at_5();
  }
  __host__ __device__ void set(bool left, std::size_t n0 = 0, std::size_t n1 = 0, std::size_t n2 = 0, 
      std::size_t n3 = 0, std::size_t n4 = 0, std::size_t n5 = 0) {
    extent_0_ = n0;
    extent_1_ = n1;
    extent_2_ = n2;
    extent_3_ = n3;
    extent_4_ = n4;
    extent_5_ = n5;
    if (left) {
      stride_0_ = 1;
      stride_1_ = stride_0_ * extent_at_0();
      stride_2_ = stride_1_ * extent_at_1();
      stride_3_ = stride_2_ * extent_at_2();
      stride_4_ = stride_3_ * extent_at_3();
      stride_5_ = stride_4_ * extent_at_4();
    } else {
      stride_5_ = 1;
      stride_4_ = stride_5_ * extent_at_5();
      stride_3_ = stride_4_ * extent_at_4();
      stride_2_ = stride_3_ * extent_at_3();
      stride_1_ = stride_2_ * extent_at_2();
      stride_0_ = stride_1_ * extent_at_1();
    }
  }
  template <class Other>
  __host__ __device__ void take(const Other &other) {
    CLADPY_KOKKOS_TAKE(0)
    CLADPY_KOKKOS_TAKE(1)
    CLADPY_KOKKOS_TAKE(2)
    CLADPY_KOKKOS_TAKE(3)
    CLADPY_KOKKOS_TAKE(4)
    CLADPY_KOKKOS_TAKE(5)
  }
};
template <class D, int unit>
struct shape<D, 7, unit> {
  CLADPY_KOKKOS_DIMENSION(0)
  CLADPY_KOKKOS_DIMENSION(1)
  CLADPY_KOKKOS_DIMENSION(2)
  CLADPY_KOKKOS_DIMENSION(3)
  CLADPY_KOKKOS_DIMENSION(4)
  CLADPY_KOKKOS_DIMENSION(5)
  CLADPY_KOKKOS_DIMENSION(6)
  template <class I>
  __host__ __device__ std::size_t extent(I dimension) const {
    return dimension == 0 ? extent_at_0()
           : dimension == 1 ? extent_at_1()
           : dimension == 2 ? extent_at_2()
           : dimension == 3 ? extent_at_3()
           : dimension == 4 ? extent_at_4()
           : dimension == 5 ? extent_at_5()
           : dimension == 6 ? extent_at_6()
           : 1;
  }
  template <class I>
  __host__ __device__ std::size_t stride(I dimension) const {
    return dimension == 0 ? stride_at_0()
           : dimension == 1 ? stride_at_1()
           : dimension == 2 ? stride_at_2()
           : dimension == 3 ? stride_at_3()
           : dimension == 4 ? stride_at_4()
           : dimension == 5 ? stride_at_5()
           : dimension == 6 ? stride_at_6()
           : 0;
  }
  __host__ __device__ long offset(long i0, long i1, long i2, long i3, long i4, long i5, long i6) const {
    return along_0(i0) + along_1(i1) + along_2(i2) + along_3(i3) + along_4(i4) + 
      along_5(i5) + along_6(i6);
  }
  __host__ __device__ long count() const {
    return extent_at_0() * extent_at_1() * extent_at_2() * extent_at_3() * extent_at_4() * extent_at_5() * 
      extent_at_6();
  }
  __host__ __device__ void set(bool left, std::size_t n0 = 0, std::size_t n1 = 0, std::size_t n2 = 0, 
      std::size_t n3 = 0, std::size_t n4 = 0, std::size_t n5 = 0, std::size_t n6 = 0) {
    extent_0_ = n0;
    extent_1_ = n1;
    extent_2_ = n2;
    extent_3_ = n3;
    extent_4_ = n4;
    extent_5_ = n5;
    extent_6_ = n6;
    if (left) {
      stride_0_ = 1;
      stride_1_ = stride_0_ * extent_at_0();
      stride_2_ = stride_1_ * extent_at_1();
      stride_3_ = stride_2_ * extent_at_2();
      stride_4_ = stride_3_ * extent_at_3();
      stride_5_ = stride_4_ * extent_at_4();
      stride_6_ = stride_5_ * extent_at_5();
    } else {
      stride_6_ = 1;
      stride_5_ = stride_6_ * extent_at_6();
      stride_4_ = stride_5_ * extent_at_5();
      stride_3_ = stride_4_ * extent_at_4();
      stride_2_ = stride_3_ * extent_at_3();
      stride_1_ = stride_2_ * extent_at_2();
      stride_0_ = stride_1_ * extent_at_1();
    }
  }
  template <class Other>
  __host__ __device__ void take(const Other &other) {
    CLADPY_KOKKOS_TAKE(0)
    CLADPY_KOKKOS_TAKE(1)
    CLADPY_KOKKOS_TAKE(2)
    CLADPY_KOKKOS_TAKE(3)
    CLADPY_KOKKOS_TAKE(4)
    CLADPY_KOKKOS_TAKE(5)
    CLADPY_KOKKOS_TAKE(6)
  }
};
template <class D, int unit>
struct shape<D, 8, unit> {
  CLADPY_KOKKOS_DIMENSION(0)
  CLADPY_KOKKOS_DIMENSION(1)
  CLADPY_KOKKOS_DIMENSION(2)
  CLADPY_KOKKOS_DIMENSION(3)
  CLADPY_KOKKOS_DIMENSION(4)
  CLADPY_KOKKOS_DIMENSION(5)
  CLADPY_KOKKOS_DIMENSION(6)
  CLADPY_KOKKOS_DIMENSION(7)
  template <class I>
  __host__ __device__ std::size_t extent(I dimension) const {
    return dimension == 0 ? extent_at_0()
           : dimension == 1 ? extent_at_1()
           : dimension == 2 ? extent_at_2()
           : dimension == 3 ? extent_at_3()
           : dimension == 4 ? extent_at_4()
           : dimension == 5 ? extent_at_5()
           : dimension == 6 ? extent_at_6()
           : dimension == 7 ? extent_at_7()
           : 1;
  }
  template <class I>
  __host__ __device__ std::size_t stride(I dimension) const {
    return dimension == 0 ? stride_at_0()
           : dimension == 1 ? stride_at_1()
           : dimension == 2 ? stride_at_2()
           : dimension == 3 ? stride_at_3()
           : dimension == 4 ? stride_at_4()
           : dimension == 5 ? stride_at_5()
           : dimension == 6 ? stride_at_6()
           : dimension == 7 ? stride_at_7()
           : 0;
  }
  __host__ __device__ long offset(long i0, long i1, long i2, long i3, long i4, long i5, long i6, long i7) const {
    return along_0(i0) + along_1(i1) + along_2(i2) + along_3(i3) + along_4(i4) + 
      along_5(i5) + along_6(i6) + along_7(i7);
  }
  __host__ __device__ long count() const {
    return extent_at_0() * extent_at_1() * extent_at_2() * extent_at_3() * extent_at_4() * extent_at_5() * 
      extent_at_6() * extent_at_7();
  }
  __host__ __device__ void set(bool left, std::size_t n0 = 0, std::size_t n1 = 0, std::size_t n2 = 0, 
      std::size_t n3 = 0, std::size_t n4 = 0, std::size_t n5 = 0, std::size_t n6 = 0, std::size_t n7 = 0) {
    extent_0_ = n0;
    extent_1_ = n1;
    extent_2_ = n2;
    extent_3_ = n3;
    extent_4_ = n4;
    extent_5_ = n5;
    extent_6_ = n6;
    extent_7_ = n7;
    if (left) {
      stride_0_ = 1;
      stride_1_ = stride_0_ * extent_at_0();
      stride_2_ = stride_1_ * extent_at_1();
      stride_3_ = stride_2_ * extent_at_2();
      stride_4_ = stride_3_ * extent_at_3();
      stride_5_ = stride_4_ * extent_at_4();
      stride_6_ = stride_5_ * extent_at_5();
      stride_7_ = stride_6_ * extent_at_6();
    } else {
      stride_7_ = 1;
      stride_6_ = stride_7_ * extent_at_7();
      stride_5_ = stride_6_ * extent_at_6();
      stride_4_ = stride_5_ * extent_at_5();
      stride_3_ = stride_4_ * extent_at_4();
      stride_2_ = stride_3_ * extent_at_3();
      stride_1_ = stride_2_ * extent_at_2();
      stride_0_ = stride_1_ * extent_at_1();
    }
  }
  template <class Other>
  __host__ __device__ void take(const Other &other) {
    CLADPY_KOKKOS_TAKE(0)
    CLADPY_KOKKOS_TAKE(1)
    CLADPY_KOKKOS_TAKE(2)
    CLADPY_KOKKOS_TAKE(3)
    CLADPY_KOKKOS_TAKE(4)
    CLADPY_KOKKOS_TAKE(5)
    CLADPY_KOKKOS_TAKE(6)
    CLADPY_KOKKOS_TAKE(7)
  }
};
#undef CLADPY_KOKKOS_TAKE
#undef CLADPY_KOKKOS_DIMENSION

}  // namespace cladpy_kokkos
}  // namespace Kokkos
