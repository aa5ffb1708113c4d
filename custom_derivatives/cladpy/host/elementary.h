// Functions of floats without branches, so that a loop over threads, and the parts of a `float4`, become vectors with them
// in it; those of doubles are in elementary_doubles.h. Part of <cladpy/host.h>. Outside of a vector the C library's take half
// the time of such forms, but for the hyperbolic tangent of floats and the larger of two numbers: the others are used where
// CLADPY_HOST_STRAIGHT says that the unit's kernels are loops of vectors.
//
// A number comes out the same in a vector, in its scalar rest, in the primal and in the gradient: that is why these take the
// place of the C library's on all ways to them in a unit, and not of some calls. They are the same operations of IEEE
// arithmetic wherever they stand: nothing is contracted, and no table is looked up. They compute in double, and give the
// nearest float but for one argument in some 10^6, the error function in some 10^3: 0.502 units in the last place.
//
// This stands before the C++ library, since <cmath> is given these in place of the compiler's own (own_functions.h). In a
// file that includes <cmath> before <cladpy/host.h>, and with compilers that cannot, functions are the C library's.
#ifndef CLADPY_HOST_ELEMENTARY_H
#define CLADPY_HOST_ELEMENTARY_H

#if defined(__has_builtin) && !defined(_GLIBCXX_CMATH) && !defined(_MATH_H) && !defined(_LIBCPP_CMATH)
#if __has_builtin(__builtin_bit_cast) && __FLT_EVAL_METHOD__ == 0
#define CLADPY_HOST_ELEMENTARY
#endif
#endif

#if defined(CLADPY_HOST_ELEMENTARY)
// A part of the loop where loops become vectors.
#if defined(CLADPY_HOST_FIBERS) || !defined(__OPTIMIZE__)
#define CLADPY_HOST_SHORT inline
#else
#define CLADPY_HOST_SHORT inline __attribute__((always_inline))
#endif
// A constant expression is what GCC makes of one; Clang computes it as any other.
#if defined(__clang__)
#define CLADPY_HOST_CONSTANT(value)
#else
#define CLADPY_HOST_CONSTANT(value)                                                                                    \
  if (__builtin_is_constant_evaluated()) return value;
#endif

namespace cladpy {
namespace host {
namespace elementary {

using Bits = unsigned long long;
static_assert(sizeof(Bits) == sizeof(double), "a double's bits");

constexpr Bits sign = 1ull << 63;

constexpr CLADPY_HOST_SHORT Bits bits(double x) { return __builtin_bit_cast(Bits, x); }
constexpr CLADPY_HOST_SHORT double number(Bits x) { return __builtin_bit_cast(double, x); }

// No farther from 0 than that; what is no number stays so. By integers, whose comparison is arithmetic: a block outside of
// a loop is made of vectors only where it has no comparison.
constexpr CLADPY_HOST_SHORT double limited(double x, double most) {
  const Bits size = bits(x) & ~sign, beyond = (bits(most) - size) & ~(bits(__builtin_inf()) - size);
  const Bits mask = -(beyond >> 63);
  return number((bits(x) & ~mask) | (((bits(x) & sign) | bits(most)) & mask));
}

// e^x = scale * (1 + rest), for what is not 0 or infinite as a float; beyond, something that is.
struct Exponential {
  double scale, rest;
};
constexpr CLADPY_HOST_SHORT Exponential exponential(double x) {
  constexpr double shifter = 0x1.8p52; // added, it leaves the nearest integer in the last bits
  const double inside = limited(x, 120.0), k = inside * 0x1.71547652b82fep+0 + shifter - shifter;
  const double r = inside - k * 0x1.62e42fefa39efp-1; // by log2(e) and ln 2
  // (e^r - 1 - r) / r^2 to 2^-42, |r| <= ln 2 / 2
  double rest = 2.761757684835413e-06;
  rest = 2.4867883453521802e-05 + r * rest;
  rest = 0.00019841224581544105 + r * rest;
  rest = 0.001388883909064138 + r * rest;
  rest = 0.008333333344209506 + r * rest;
  rest = 0.041666666786337556 + r * rest;
  rest = 0.16666666666662583 + r * rest;
  rest = 0.4999999999995507 + r * rest;
  return {number(bits(k + (shifter + 1023.0)) << 52), r + r * r * rest};
}

// e^(2 |x|) - 1
constexpr CLADPY_HOST_SHORT double growth(double x) {
  const Exponential e = exponential(2.0 * __builtin_fabs(x));
  return e.scale * e.rest + (e.scale - 1.0);
}

constexpr CLADPY_HOST_SHORT float tanhf(float x) {
  CLADPY_HOST_CONSTANT(__builtin_tanhf(x))
  const double twice = growth(x), size = twice / (twice + 2.0);
  return static_cast<float>(number(bits(size) | (bits(x) & sign)));
}
// The derivative of that, 1 / cosh(x)^2, of the same exponential.
constexpr CLADPY_HOST_SHORT float tanhf_dx(float x) {
  const double twice = growth(x), whole = twice + 2.0;
  return static_cast<float>(4.0 * (twice + 1.0) / (whole * whole));
}

// The other operand where one is no number; the second of zeros.
template <class T> constexpr CLADPY_HOST_SHORT T larger(T x, T y) { return ((x > y) | (y != y)) ? x : y; }
template <class T> constexpr CLADPY_HOST_SHORT T smaller(T x, T y) { return ((x < y) | (y != y)) ? x : y; }

#if defined(CLADPY_HOST_STRAIGHT)
constexpr CLADPY_HOST_SHORT float expf(float x) {
  CLADPY_HOST_CONSTANT(__builtin_expf(x))
  const Exponential e = exponential(x);
  return static_cast<float>(e.scale + e.scale * e.rest);
}

// x = 2^k * m with m between the roots of 1/2 and 2, and log(m) = 2 atanh((m - 1) / (m + 1)), by 2^-37.
constexpr CLADPY_HOST_SHORT float logf(float x) {
  CLADPY_HOST_CONSTANT(__builtin_logf(x))
  constexpr Bits root = 0x3fe6a09e667f3bcdull, one = 0x3ff0000000000000ull, exponent = 0xfffull << 52;
  constexpr double shifter = 0x1.8p52;
  const Bits above = bits(x) - root + one; // of which the exponent is k's
  const double k = number((above >> 52) + bits(shifter)) - (shifter + 1023.0);
  const double m = number(bits(x) - (above & exponent) + one);
  const double s = (m - 1.0) / (m + 1.0), u = s * s;
  double series = 0x1.e3b72f4f92408p-4;
  series = 0x1.24328e6d18008p-3 + u * series;
  series = 0x1.999a9d596ec4dp-3 + u * series;
  series = 0x1.555554da52478p-2 + u * series;
  series = 0x1.0000000004a79p+0 + u * series;
  const double found = k * 0x1.62e42fefa39efp-1 + 2.0 * s * series;
  const float inside = static_cast<float>(x < __builtin_inff() ? found : x); // what is no number stays so
  return x > 0.0f ? inside : x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
}

// 1 - e^(-q(|x|)), where q = -log(1 - erf) is |x| times a polynomial to 2^-33 up to 4, where the function is 1.
constexpr CLADPY_HOST_SHORT float erff(float x) {
  CLADPY_HOST_CONSTANT(__builtin_erff(x))
  const double size = limited(__builtin_fabs(x), 4.0);
  double q = -0x1.c64cf2ded3039p-24;
  q = 0x1.955701cf0013ap-20 + size * q;
  q = -0x1.07dc0ae563a97p-17 + size * q;
  q = 0x1.1d8529714ae15p-17 + size * q;
  q = 0x1.c516ccbb3cb6cp-14 + size * q;
  q = -0x1.5d97e23f996c5p-11 + size * q;
  q = 0x1.c8aea1dfa2d88p-10 + size * q;
  q = -0x1.da7a5dd83c560p-13 + size * q;
  q = -0x1.39572b6ac6e45p-6 + size * q;
  q = 0x1.a4f4782aade8ep-4 + size * q;
  q = 0x1.45f307698940ap-1 + size * q;
  q = 0x1.20dd7503b1ba2p+0 + size * q;
  const Exponential e = exponential(-size * q);
  const double rest = (1.0 - e.scale) - e.scale * e.rest;
  return static_cast<float>(number((bits(rest) & ~sign) | (bits(x) & sign)));
}
#endif

} // namespace elementary
} // namespace host
} // namespace cladpy

#if defined(CLADPY_HOST_STRAIGHT)
#include "elementary_doubles.h"
#endif

#undef CLADPY_HOST_SHORT
#undef CLADPY_HOST_CONSTANT

// Until own_functions.h, for <cmath>.
#define __builtin_tanhf ::cladpy::host::elementary::tanhf
#define __builtin_fmaxf ::cladpy::host::elementary::larger<float>
#define __builtin_fminf ::cladpy::host::elementary::smaller<float>
#define __builtin_fmax ::cladpy::host::elementary::larger<double>
#define __builtin_fmin ::cladpy::host::elementary::smaller<double>
#if defined(CLADPY_HOST_STRAIGHT)
#define __builtin_expf ::cladpy::host::elementary::expf
#define __builtin_logf ::cladpy::host::elementary::logf
#define __builtin_erff ::cladpy::host::elementary::erff
#define __builtin_exp ::cladpy::host::elementary::exp
#define __builtin_log ::cladpy::host::elementary::log
#define __builtin_sin ::cladpy::host::elementary::sin
#define __builtin_cos ::cladpy::host::elementary::cos
#define __builtin_tanh ::cladpy::host::elementary::tanh
#endif
#endif

#endif
