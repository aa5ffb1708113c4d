// Kokkos' names for functions of numbers, and its atomics.
#pragma once

#include <cmath>

namespace Kokkos {

namespace Experimental {  // types that programs ask whether theirs are
class half_t;
class bhalf_t;
}  // namespace Experimental

using std::abs, std::fabs, std::fmod, std::remainder, std::fma, std::fmax, std::fmin, std::fdim;
using std::exp, std::exp2, std::expm1, std::log, std::log10, std::log2, std::log1p;
using std::pow, std::sqrt, std::cbrt, std::hypot;
using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::atan2;
using std::sinh, std::cosh, std::tanh, std::asinh, std::acosh, std::atanh;
using std::erf, std::erfc, std::tgamma, std::lgamma;
using std::ceil, std::floor, std::trunc, std::round, std::nearbyint;
using std::isfinite, std::isinf, std::isnan, std::copysign, std::signbit;
inline __host__ __device__ double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline __host__ __device__ float rsqrt(float x) { return 1.0f / std::sqrt(x); }

template <class T>
__host__ __device__ inline const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T>
__host__ __device__ inline const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T>
__host__ __device__ inline const T &clamp(const T &x, const T &low, const T &high) { return x < low ? low : high < x ? high : x; }

template <class T, class U>
__host__ __device__ inline void atomic_add(T *to, const U value) {
  static_assert(std::is_arithmetic_v<T>, "Kokkos: atomic_add is of numbers; a complex number is two");
  if constexpr (std::is_arithmetic_v<T>) atomicAdd(to, T(value));
}
template <class T, class U>
__host__ __device__ inline void atomic_sub(T *to, const U value) { atomicAdd(to, -T(value)); }
template <class T>
__host__ __device__ inline void atomic_inc(T *to) { atomicAdd(to, T(1)); }
template <class T>
__host__ __device__ inline void atomic_increment(T *to) { atomicAdd(to, T(1)); }
template <class T, class U>
__host__ __device__ inline T atomic_fetch_add(T *to, const U value) { return atomicAdd(to, T(value)); }

}  // namespace Kokkos
