// The hyperbolic tangent of floats without branches, so that a loop over threads, and the parts of a `float4`, become
// vectors with it in it. Part of <cladpy/host.h>. The C library's other functions are as quick as such a form outside of a
// vector, or quicker.
//
// A number comes out the same in a vector, in its scalar rest, in the primal and in the gradient: that is why this takes the
// place of the C library's on all ways to it, and not of some calls. It is the same operations of IEEE arithmetic wherever
// it stands: nothing is contracted, and no table is looked up. It computes in double, and gives the nearest float but for
// one argument in some 10^8.
//
// This stands before the C++ library, since <cmath> is given it in place of the compiler's own (own_functions.h). In a
// file that includes <cmath> before <cladpy/host.h>, and with compilers that cannot, the function is the C library's.
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

} // namespace elementary
} // namespace host
} // namespace cladpy

#undef CLADPY_HOST_SHORT
#undef CLADPY_HOST_CONSTANT

// Until own_functions.h, for <cmath>.
#define __builtin_tanhf ::cladpy::host::elementary::tanhf
#endif

#endif
