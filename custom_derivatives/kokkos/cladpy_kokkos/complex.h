// Complex numbers, in terms of real ones.
#pragma once

#include <cladpy_kokkos/math.h>

#include <type_traits>

namespace Kokkos {

template <class T>
class alignas(2 * sizeof(T)) complex {
  T re_, im_;

 public:
  using value_type = T;
  __host__ __device__ complex() : re_(T(0)), im_(T(0)) {}
  __host__ __device__ complex(const T &re) : re_(re), im_(T(0)) {}
  __host__ __device__ complex(const T &re, const T &im) : re_(re), im_(im) {}
  __host__ __device__ T &real() { return re_; }
  __host__ __device__ T &imag() { return im_; }
  __host__ __device__ T real() const { return re_; }
  __host__ __device__ T imag() const { return im_; }
  __host__ __device__ void real(T value) { re_ = value; }
  __host__ __device__ void imag(T value) { im_ = value; }
  __host__ __device__ complex &operator+=(const complex &z) { return *this = complex(re_ + z.re_, im_ + z.im_); }
  __host__ __device__ complex &operator-=(const complex &z) { return *this = complex(re_ - z.re_, im_ - z.im_); }
  __host__ __device__ complex &operator*=(const complex &z) { return *this = complex(re_ * z.re_ - im_ * z.im_, re_ * z.im_ + im_ * z.re_); }
  __host__ __device__ complex &operator/=(const complex &z) {
    const T square = z.re_ * z.re_ + z.im_ * z.im_;
    return *this = complex((re_ * z.re_ + im_ * z.im_) / square, (im_ * z.re_ - re_ * z.im_) / square);
  }
};

#define CLADPY_KOKKOS_COMPLEX_OPERATOR(op)                                                                                     \
  template <class T>                                                                                                           \
  __host__ __device__ inline complex<T> operator op(const complex<T> &a, const complex<T> &b) {                                \
    complex<T> result = a;                                                                                                     \
    return result op##= b;                                                                                                    \
  }                                                                                                                            \
  template <class T>                                                                                                           \
  __host__ __device__ inline complex<T> operator op(const complex<T> &a, const std::common_type_t<T> &b) { return a op complex<T>(b); } \
  template <class T>                                                                                                           \
  __host__ __device__ inline complex<T> operator op(const std::common_type_t<T> &a, const complex<T> &b) { return complex<T>(a) op b; }
CLADPY_KOKKOS_COMPLEX_OPERATOR(+)
CLADPY_KOKKOS_COMPLEX_OPERATOR(-)
CLADPY_KOKKOS_COMPLEX_OPERATOR(*)
CLADPY_KOKKOS_COMPLEX_OPERATOR(/)
#undef CLADPY_KOKKOS_COMPLEX_OPERATOR

template <class T>
__host__ __device__ inline complex<T> operator-(const complex<T> &a) { return complex<T>(-a.real(), -a.imag()); }
template <class T>
__host__ __device__ inline T real(const complex<T> &a) { return a.real(); }
template <class T>
__host__ __device__ inline T imag(const complex<T> &a) { return a.imag(); }
template <class T>
__host__ __device__ inline complex<T> conj(const complex<T> &a) { return complex<T>(a.real(), -a.imag()); }
template <class T>
__host__ __device__ inline T abs(const complex<T> &a) { return hypot(a.real(), a.imag()); }
template <class T>
__host__ __device__ inline complex<T> exp(const complex<T> &a) { return complex<T>(exp(a.real()) * cos(a.imag()), exp(a.real()) * sin(a.imag())); }

}  // namespace Kokkos
