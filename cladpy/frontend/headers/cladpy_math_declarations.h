// CUDA's math API on the device, in float and double, globally and in namespace std.
#ifndef CLADPY_MATH_DECLARATIONS_H
#define CLADPY_MATH_DECLARATIONS_H

// One scalar operand or several of one type: the double function, the float overload, and the name with an f.
#define CLADPY_MATH1(name)                                                                                             \
  __device__ double name(double) noexcept;                                                                             \
  __device__ float name(float) noexcept;                                                                               \
  extern "C" __device__ float name##f(float) noexcept;
#define CLADPY_MATH2(name)                                                                                             \
  __device__ double name(double, double) noexcept;                                                                     \
  __device__ float name(float, float) noexcept;                                                                        \
  extern "C" __device__ float name##f(float, float) noexcept;
#define CLADPY_MATH3(name)                                                                                             \
  __device__ double name(double, double, double) noexcept;                                                             \
  __device__ float name(float, float, float) noexcept;                                                                 \
  extern "C" __device__ float name##f(float, float, float) noexcept;

#define CLADPY_STD_MATH1(apply)                                                                                        \
  apply(acos) apply(acosh) apply(asin) apply(asinh) apply(atan) apply(atanh) apply(cbrt) apply(ceil) apply(cos)        \
  apply(cosh) apply(erf) apply(erfc) apply(exp) apply(exp2) apply(expm1) apply(fabs) apply(floor) apply(lgamma)        \
  apply(log) apply(log10) apply(log1p) apply(log2) apply(logb) apply(nearbyint) apply(rint) apply(round) apply(sin)    \
  apply(sinh) apply(sqrt) apply(tan) apply(tanh) apply(tgamma) apply(trunc)
#define CLADPY_STD_MATH2(apply)                                                                                        \
  apply(atan2) apply(copysign) apply(fdim) apply(fmax) apply(fmin) apply(fmod) apply(hypot) apply(nextafter)           \
  apply(pow) apply(remainder)

CLADPY_STD_MATH1(CLADPY_MATH1)
CLADPY_STD_MATH2(CLADPY_MATH2)
CLADPY_MATH3(fma)

__device__ int abs(int) noexcept;
__device__ long abs(long) noexcept;
__device__ long long abs(long long) noexcept;
__device__ double abs(double) noexcept;
__device__ float abs(float) noexcept;
extern "C" __device__ long labs(long) noexcept;
extern "C" __device__ long long llabs(long long) noexcept;

#define CLADPY_TO_INTEGER(name, result)                                                                                \
  __device__ result name(double) noexcept;                                                                             \
  __device__ result name(float) noexcept;                                                                              \
  extern "C" __device__ result name##f(float) noexcept;
CLADPY_TO_INTEGER(lrint, long)
CLADPY_TO_INTEGER(llrint, long long)
CLADPY_TO_INTEGER(lround, long)
CLADPY_TO_INTEGER(llround, long long)
CLADPY_TO_INTEGER(ilogb, int)
#undef CLADPY_TO_INTEGER

#define CLADPY_WITH(name, ...)                                                                                         \
  __device__ double name(double, __VA_ARGS__) noexcept;                                                                \
  __device__ float name(float, __VA_ARGS__) noexcept;                                                                  \
  extern "C" __device__ float name##f(float, __VA_ARGS__) noexcept;
CLADPY_WITH(ldexp, int)
CLADPY_WITH(scalbn, int)
CLADPY_WITH(scalbln, long)
CLADPY_WITH(frexp, int *)
#undef CLADPY_WITH
__device__ double modf(double, double *) noexcept;
__device__ float modf(float, float *) noexcept;
extern "C" __device__ float modff(float, float *) noexcept;
__device__ double remquo(double, double, int *) noexcept;
__device__ float remquo(float, float, int *) noexcept;
extern "C" __device__ float remquof(float, float, int *) noexcept;
__device__ double nan(const char *) noexcept;
extern "C" __device__ float nanf(const char *) noexcept;

__device__ bool isfinite(float) noexcept;
__device__ bool isfinite(double) noexcept;
__device__ bool isinf(float) noexcept;
__device__ bool isinf(double) noexcept;
__device__ bool isnan(float) noexcept;
__device__ bool isnan(double) noexcept;
__device__ bool signbit(float) noexcept;
__device__ bool signbit(double) noexcept;
extern "C" __device__ int __signbit(double) noexcept;
extern "C" __device__ int __signbitf(float) noexcept;
extern "C" __device__ int __isnan(double) noexcept;
extern "C" __device__ int __isinf(double) noexcept;
extern "C" __device__ int __finite(double) noexcept;
extern "C" __device__ int __isnanf(float) noexcept;
extern "C" __device__ int __isinff(float) noexcept;
extern "C" __device__ int __finitef(float) noexcept;

// A call with an integer, or with operands of different types, is computed in double.
namespace cladpy_detail {
template <typename T> struct arithmetic { static constexpr int rank = 0; };
template <> struct arithmetic<float> { static constexpr int rank = 1; };
template <> struct arithmetic<double> { static constexpr int rank = 2; };
#define CLADPY_INTEGER(type) template <> struct arithmetic<type> { static constexpr int rank = 3; };
CLADPY_INTEGER(bool) CLADPY_INTEGER(char) CLADPY_INTEGER(signed char) CLADPY_INTEGER(unsigned char)
CLADPY_INTEGER(short) CLADPY_INTEGER(unsigned short) CLADPY_INTEGER(int) CLADPY_INTEGER(unsigned int)
CLADPY_INTEGER(long) CLADPY_INTEGER(unsigned long) CLADPY_INTEGER(long long) CLADPY_INTEGER(unsigned long long)
#undef CLADPY_INTEGER
template <bool> struct when {};
template <> struct when<true> { typedef double type; };
template <typename T> struct integer : when<arithmetic<T>::rank == 3> {};
template <typename T, typename U>
struct mixed : when<arithmetic<T>::rank && arithmetic<U>::rank &&
                    !(arithmetic<T>::rank == arithmetic<U>::rank && arithmetic<T>::rank < 3)> {};
template <typename T, typename U, typename V>
struct mixed3 : when<arithmetic<T>::rank && arithmetic<U>::rank && arithmetic<V>::rank &&
                     !(arithmetic<T>::rank == arithmetic<U>::rank && arithmetic<U>::rank == arithmetic<V>::rank &&
                       arithmetic<T>::rank < 3)> {};
}  // namespace cladpy_detail

#define CLADPY_PROMOTE1(name)                                                                                          \
  template <typename T> __device__ typename cladpy_detail::integer<T>::type name(T) noexcept;
#define CLADPY_PROMOTE2(name)                                                                                          \
  template <typename T, typename U> __device__ typename cladpy_detail::mixed<T, U>::type name(T, U) noexcept;
CLADPY_STD_MATH1(CLADPY_PROMOTE1)
CLADPY_STD_MATH2(CLADPY_PROMOTE2)
template <typename T, typename U, typename V>
__device__ typename cladpy_detail::mixed3<T, U, V>::type fma(T, U, V) noexcept;
template <typename T> __device__ typename cladpy_detail::integer<T>::type ldexp(T, int) noexcept;
template <typename T> __device__ typename cladpy_detail::integer<T>::type scalbn(T, int) noexcept;

namespace std {
#define CLADPY_USING(name) using ::name;
#define CLADPY_USING_F(name) using ::name##f;
CLADPY_STD_MATH1(CLADPY_USING)
CLADPY_STD_MATH2(CLADPY_USING)
using ::fma;
using ::abs;
using ::lrint;
using ::llrint;
using ::lround;
using ::llround;
using ::ilogb;
using ::ldexp;
using ::scalbn;
using ::scalbln;
using ::frexp;
using ::modf;
using ::remquo;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::signbit;
#undef CLADPY_USING
#undef CLADPY_USING_F
}  // namespace std

// ---- CUDA's own functions -------------------------------------------------------------------------------------------
CLADPY_MATH1(rsqrt)
CLADPY_MATH1(rcbrt)
CLADPY_MATH1(sinpi)
CLADPY_MATH1(cospi)
CLADPY_MATH1(exp10)
CLADPY_MATH1(erfinv)
CLADPY_MATH1(erfcinv)
CLADPY_MATH1(erfcx)
CLADPY_MATH1(normcdf)
CLADPY_MATH1(normcdfinv)
CLADPY_MATH1(j0)
CLADPY_MATH1(j1)
CLADPY_MATH1(y0)
CLADPY_MATH1(y1)
CLADPY_MATH1(cyl_bessel_i0)
CLADPY_MATH1(cyl_bessel_i1)
// These have no float overloads: only the names with an f are computed in float.
extern "C" __device__ double rhypot(double, double) noexcept;
extern "C" __device__ float rhypotf(float, float) noexcept;
extern "C" __device__ double norm3d(double, double, double) noexcept;
extern "C" __device__ double rnorm3d(double, double, double) noexcept;
extern "C" __device__ float norm3df(float, float, float) noexcept;
extern "C" __device__ float rnorm3df(float, float, float) noexcept;
extern "C" __device__ double norm4d(double, double, double, double) noexcept;
extern "C" __device__ double rnorm4d(double, double, double, double) noexcept;
extern "C" __device__ float norm4df(float, float, float, float) noexcept;
extern "C" __device__ float rnorm4df(float, float, float, float) noexcept;
extern "C" __device__ double norm(int, const double *) noexcept;
extern "C" __device__ double rnorm(int, const double *) noexcept;
extern "C" __device__ float normf(int, const float *) noexcept;
extern "C" __device__ float rnormf(int, const float *) noexcept;
__device__ double jn(int, double) noexcept;
__device__ double yn(int, double) noexcept;
__device__ float jn(int, float) noexcept;
__device__ float yn(int, float) noexcept;
extern "C" __device__ float jnf(int, float) noexcept;
extern "C" __device__ float ynf(int, float) noexcept;
#define CLADPY_PAIR(name)                                                                                              \
  __device__ void name(double, double *, double *) noexcept;                                                           \
  __device__ void name(float, float *, float *) noexcept;                                                              \
  extern "C" __device__ void name##f(float, float *, float *) noexcept;
CLADPY_PAIR(sincos)
CLADPY_PAIR(sincospi)
#undef CLADPY_PAIR

#define CLADPY_SIDES __host__ __device__
#include "cladpy_minmax_declarations.h"
#undef CLADPY_SIDES

// ---- fast and exactly rounded forms ---------------------------------------------------------------------------------
extern "C" {
#define CLADPY_FAST(name) __device__ float name(float) noexcept;
CLADPY_FAST(__sinf)
CLADPY_FAST(__cosf)
CLADPY_FAST(__tanf)
CLADPY_FAST(__tanhf)
CLADPY_FAST(__expf)
CLADPY_FAST(__exp10f)
CLADPY_FAST(__logf)
CLADPY_FAST(__log2f)
CLADPY_FAST(__log10f)
CLADPY_FAST(__saturatef)
CLADPY_FAST(__frsqrt_rn)
#undef CLADPY_FAST
__device__ float __powf(float, float) noexcept;
__device__ float __fdividef(float, float) noexcept;
__device__ float fdividef(float, float) noexcept;
__device__ double fdivide(double, double) noexcept;
__device__ void __sincosf(float, float *, float *) noexcept;
#define CLADPY_ROUNDED(mode)                                                                                           \
  __device__ float __fadd_##mode(float, float) noexcept;                                                               \
  __device__ float __fsub_##mode(float, float) noexcept;                                                               \
  __device__ float __fmul_##mode(float, float) noexcept;                                                               \
  __device__ float __fdiv_##mode(float, float) noexcept;                                                               \
  __device__ float __frcp_##mode(float) noexcept;                                                                      \
  __device__ float __fsqrt_##mode(float) noexcept;                                                                     \
  __device__ float __fmaf_##mode(float, float, float) noexcept;                                                        \
  __device__ float __fmaf_ieee_##mode(float, float, float) noexcept;                                                   \
  __device__ double __dadd_##mode(double, double) noexcept;                                                            \
  __device__ double __dsub_##mode(double, double) noexcept;                                                            \
  __device__ double __dmul_##mode(double, double) noexcept;                                                            \
  __device__ double __ddiv_##mode(double, double) noexcept;                                                            \
  __device__ double __drcp_##mode(double) noexcept;                                                                    \
  __device__ double __dsqrt_##mode(double) noexcept;                                                                   \
  __device__ double __fma_##mode(double, double, double) noexcept;                                                     \
  __device__ int __float2int_##mode(float) noexcept;                                                                   \
  __device__ unsigned int __float2uint_##mode(float) noexcept;                                                         \
  __device__ long long __float2ll_##mode(float) noexcept;                                                              \
  __device__ unsigned long long __float2ull_##mode(float) noexcept;                                                    \
  __device__ int __double2int_##mode(double) noexcept;                                                                 \
  __device__ unsigned int __double2uint_##mode(double) noexcept;                                                       \
  __device__ long long __double2ll_##mode(double) noexcept;                                                            \
  __device__ unsigned long long __double2ull_##mode(double) noexcept;                                                  \
  __device__ float __double2float_##mode(double) noexcept;                                                             \
  __device__ float __int2float_##mode(int) noexcept;                                                                   \
  __device__ float __uint2float_##mode(unsigned int) noexcept;                                                         \
  __device__ float __ll2float_##mode(long long) noexcept;                                                              \
  __device__ float __ull2float_##mode(unsigned long long) noexcept;                                                    \
  __device__ double __ll2double_##mode(long long) noexcept;                                                            \
  __device__ double __ull2double_##mode(unsigned long long) noexcept;
CLADPY_ROUNDED(rn)
CLADPY_ROUNDED(rz)
CLADPY_ROUNDED(ru)
CLADPY_ROUNDED(rd)
#undef CLADPY_ROUNDED
__device__ double __int2double_rn(int) noexcept;
__device__ double __uint2double_rn(unsigned int) noexcept;
__device__ int __float_as_int(float) noexcept;
__device__ unsigned int __float_as_uint(float) noexcept;
__device__ float __int_as_float(int) noexcept;
__device__ float __uint_as_float(unsigned int) noexcept;
__device__ long long __double_as_longlong(double) noexcept;
__device__ double __longlong_as_double(long long) noexcept;
__device__ double __hiloint2double(int, int) noexcept;
__device__ int __double2hiint(double) noexcept;
__device__ int __double2loint(double) noexcept;
}

#undef CLADPY_MATH1
#undef CLADPY_MATH2
#undef CLADPY_MATH3
#undef CLADPY_PROMOTE1
#undef CLADPY_PROMOTE2
#undef CLADPY_STD_MATH1
#undef CLADPY_STD_MATH2

#endif
