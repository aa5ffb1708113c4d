// The oracle's derivatives of the math library, one function per mathematical function whatever its spellings.
//
// Each takes the value that the program's own call gave, and the arguments as duals; the partial derivatives are
// computed in long double from the arguments. At kinks they are those of the side that the tangents lead to
// (`side()` in dual.h); rounding functions have derivative 0.
#ifndef CLADPY_ORACLE_FORMULAS_H
#define CLADPY_ORACLE_FORMULAS_H

#include <cmath>

#include "cladpy_oracle/dual.h"
#include "cladpy_oracle/special.h"

namespace cladpy_oracle {
namespace formula {

// The derivative of a number that is cut to [0, 1].
inline real between(real value, real tangent) { return above_zero(value, tangent) && above_zero(1 - value, -tangent); }


#define CLADPY_ORACLE_UNARY(NAME, PARTIAL)                          \
  template <class R, class A> dual<R> NAME(R value, dual<A> arg) {  \
    const real x = arg.v;                                           \
    const real y = number(value);                                           \
    (void)x, (void)y;                                               \
    return chain(value, PARTIAL, arg);                              \
  }

CLADPY_ORACLE_UNARY(sin, std::cos(x))
CLADPY_ORACLE_UNARY(cos, -std::sin(x))
CLADPY_ORACLE_UNARY(tan, 1 / (std::cos(x) * std::cos(x)))
CLADPY_ORACLE_UNARY(asin, 1 / std::sqrt((1 - x) * (1 + x)))
CLADPY_ORACLE_UNARY(acos, -1 / std::sqrt((1 - x) * (1 + x)))
CLADPY_ORACLE_UNARY(atan, 1 / (1 + x * x))
CLADPY_ORACLE_UNARY(sinh, std::cosh(x))
CLADPY_ORACLE_UNARY(cosh, std::sinh(x))
CLADPY_ORACLE_UNARY(tanh, 1 / (std::cosh(x) * std::cosh(x)))
CLADPY_ORACLE_UNARY(asinh, 1 / std::sqrt(x * x + 1))
CLADPY_ORACLE_UNARY(acosh, 1 / std::sqrt((x - 1) * (x + 1)))
CLADPY_ORACLE_UNARY(atanh, 1 / ((1 - x) * (1 + x)))
CLADPY_ORACLE_UNARY(exp, std::exp(x))
CLADPY_ORACLE_UNARY(exp2, std::exp2(x) * std::log(2.0L))
CLADPY_ORACLE_UNARY(exp10, std::pow(10.0L, x) * std::log(10.0L))
CLADPY_ORACLE_UNARY(expm1, std::exp(x))
CLADPY_ORACLE_UNARY(log, 1 / x)
CLADPY_ORACLE_UNARY(log2, 1 / (x * std::log(2.0L)))
CLADPY_ORACLE_UNARY(log10, 1 / (x * std::log(10.0L)))
CLADPY_ORACLE_UNARY(log1p, 1 / (1 + x))
CLADPY_ORACLE_UNARY(logb, 0)
CLADPY_ORACLE_UNARY(sqrt, 1 / (2 * std::sqrt(x)))
CLADPY_ORACLE_UNARY(rsqrt, -1 / (2 * x * std::sqrt(x)))
CLADPY_ORACLE_UNARY(cbrt, 1 / (3 * std::cbrt(x) * std::cbrt(x)))
CLADPY_ORACLE_UNARY(rcbrt, -1 / (3 * x * std::cbrt(x)))
CLADPY_ORACLE_UNARY(opposite, -1)
CLADPY_ORACLE_UNARY(reciprocal, -1 / (x * x))
CLADPY_ORACLE_UNARY(fabs, x == 0 && !side().directed ? 0 : above_zero(x, arg.t) ? 1 : -1)
CLADPY_ORACLE_UNARY(round, 0)
CLADPY_ORACLE_UNARY(identity, 1)
CLADPY_ORACLE_UNARY(saturate, between(x, arg.t))
CLADPY_ORACLE_UNARY(sinpi, pi * std::cos(pi * x))
CLADPY_ORACLE_UNARY(cospi, -pi * std::sin(pi * x))
CLADPY_ORACLE_UNARY(tanpi, pi / (std::cos(pi * x) * std::cos(pi * x)))
CLADPY_ORACLE_UNARY(erf, 2 / std::sqrt(pi) * std::exp(-x * x))
CLADPY_ORACLE_UNARY(erfc, -2 / std::sqrt(pi) * std::exp(-x * x))
CLADPY_ORACLE_UNARY(erfcx, 2 * x * cladpy_oracle::erfcx(x) - 2 / std::sqrt(pi))
CLADPY_ORACLE_UNARY(erfinv, std::sqrt(pi) / 2 * std::exp(erfinv_near(x, y) * erfinv_near(x, y)))
CLADPY_ORACLE_UNARY(erfcinv, -std::sqrt(pi) / 2 * std::exp(erfcinv_near(x, y) * erfcinv_near(x, y)))
CLADPY_ORACLE_UNARY(normcdf, std::exp(-x * x / 2) / std::sqrt(2 * pi))
// normcdfinv(x) = -sqrt(2) erfcinv(2 x)
CLADPY_ORACLE_UNARY(normcdfinv, std::sqrt(2 * pi) * std::exp(erfcinv_near(2 * x, -y / std::sqrt(2.0L)) *
                                                             erfcinv_near(2 * x, -y / std::sqrt(2.0L))))
CLADPY_ORACLE_UNARY(tgamma, std::tgamma(x) * digamma(x))
CLADPY_ORACLE_UNARY(lgamma, digamma(x))
CLADPY_ORACLE_UNARY(j0, -j1l(x))
CLADPY_ORACLE_UNARY(j1, x == 0 ? 0.5L : j0l(x) - j1l(x) / x)
CLADPY_ORACLE_UNARY(y0, -y1l(x))
CLADPY_ORACLE_UNARY(y1, y0l(x) - y1l(x) / x)
CLADPY_ORACLE_UNARY(cyl_bessel_i0, bessel_i(1, x))
CLADPY_ORACLE_UNARY(cyl_bessel_i1, (bessel_i(0, x) + bessel_i(2, x)) / 2)

#undef CLADPY_ORACLE_UNARY

// Whether the first number is the larger, and of equal ones that which grows faster.
template <class A, class B> bool larger(dual<A> a, dual<B> b) {
  return a.v == b.v ? !side().directed || a.t == b.t || grows(a.t - b.t) : real(a.v) > real(b.v);
}

#define CLADPY_ORACLE_BINARY(NAME, PARTIAL_A, PARTIAL_B)                                          \
  template <class R, class A, class B> dual<R> NAME(R value, dual<A> first, dual<B> second) {     \
    const real a = first.v;                                                                       \
    const real b = second.v;                                                                      \
    (void)a, (void)b;                                                                             \
    return chain(value, PARTIAL_A, first, PARTIAL_B, second);                                     \
  }

CLADPY_ORACLE_BINARY(plus, 1, 1)
CLADPY_ORACLE_BINARY(plus_cut, between(a + b, first.t + second.t), between(a + b, first.t + second.t))
CLADPY_ORACLE_BINARY(minus_cut, between(a - b, first.t - second.t), -between(a - b, first.t - second.t))
CLADPY_ORACLE_BINARY(product_cut, between(a * b, a * second.t + b * first.t) * b, between(a * b, a * second.t + b * first.t) * a)
CLADPY_ORACLE_BINARY(minus, 1, -1)
CLADPY_ORACLE_BINARY(product, b, a)
CLADPY_ORACLE_BINARY(quotient, 1 / b, -a / (b * b))
CLADPY_ORACLE_BINARY(atan2, b / (a * a + b * b), -a / (a * a + b * b))
CLADPY_ORACLE_BINARY(hypot, a / std::hypot(a, b), b / std::hypot(a, b))
CLADPY_ORACLE_BINARY(rhypot, -a / std::pow(std::hypot(a, b), 3), -b / std::pow(std::hypot(a, b), 3))
CLADPY_ORACLE_BINARY(fmod, 1, -std::trunc(a / b))
CLADPY_ORACLE_BINARY(remainder, 1, -(a - std::remainder(a, b)) / b)
CLADPY_ORACLE_BINARY(fdim, above_zero(a - b, first.t - second.t) ? 1 : 0, above_zero(a - b, first.t - second.t) ? -1 : 0)
CLADPY_ORACLE_BINARY(fmax, std::isnan(b) || larger(first, second), !std::isnan(b) && !larger(first, second))
CLADPY_ORACLE_BINARY(fmin, std::isnan(b) || larger(second, first), !std::isnan(b) && !larger(second, first))
CLADPY_ORACLE_BINARY(copysign, a == 0 && !side().directed ? 0 : above_zero(a, first.t) != std::signbit(b) ? 1 : -1, 0)
CLADPY_ORACLE_BINARY(scale, std::exp2(b), 0)  // ldexp, scalbn, scalbln: the exponent is an integer
CLADPY_ORACLE_BINARY(nextafter, 1, 0)
CLADPY_ORACLE_BINARY(pow, b == 0 ? 0 : b * std::pow(a, b - 1), a == 0 ? 0 : std::pow(a, b) * std::log(a))

#undef CLADPY_ORACLE_BINARY

// Bessel functions of integer order: the first argument is the order.
template <class R, class N, class A> dual<R> jn(R value, dual<N> order, dual<A> arg) {
  const int n = static_cast<int>(order.v);
  const real x = arg.v;
  return chain(value, (jnl(n - 1, x) - jnl(n + 1, x)) / 2, arg);
}
template <class R, class N, class A> dual<R> yn(R value, dual<N> order, dual<A> arg) {
  const int n = static_cast<int>(order.v);
  const real x = arg.v;
  return chain(value, (ynl(n - 1, x) - ynl(n + 1, x)) / 2, arg);
}

template <class R, class A, class B, class C> dual<R> fma(R value, dual<A> a, dual<B> b, dual<C> c) {
  return chain(value, b.v, a, a.v, b, 1, c);
}

template <class R, class A, class B, class C> dual<R> fma_cut(R value, dual<A> a, dual<B> b, dual<C> c) {
  const real exact = real(a.v) * b.v + c.v;
  return between(exact, a.v * b.t + b.v * a.t + c.t) != 0 ? fma(value, a, b, c) : constant(value);
}
template <class R, class A, class B, class C> dual<R> fma_positive(R value, dual<A> a, dual<B> b, dual<C> c) {
  return above_zero(real(a.v) * b.v + c.v, a.v * b.t + b.v * a.t + c.t) ? fma(value, a, b, c) : constant(value);
}

// Euclidean norms of three or four arguments, and their reciprocals.
template <class R, class A> dual<R> norm(R value, dual<A> a, dual<A> b, dual<A> c) {
  const real n = std::hypot(real(a.v), real(b.v), real(c.v));
  return chain(value, a.v / n, a, b.v / n, b, c.v / n, c);
}
template <class R, class A> dual<R> norm(R value, dual<A> a, dual<A> b, dual<A> c, dual<A> d) {
  const real n = std::hypot(std::hypot(real(a.v), real(b.v)), std::hypot(real(c.v), real(d.v)));
  return chain(value, a.v / n, a, b.v / n, b, c.v / n, c, d.v / n, d);
}
template <class R, class A> dual<R> hypot(R value, dual<A> a, dual<A> b, dual<A> c) {  // of the C++ library
  return norm(value, a, b, c);
}
template <class R, class A> dual<R> rnorm(R value, dual<A> a, dual<A> b, dual<A> c) {
  const real n = std::pow(std::hypot(real(a.v), real(b.v), real(c.v)), 3);
  return chain(value, -a.v / n, a, -b.v / n, b, -c.v / n, c);
}
template <class R, class A> dual<R> rnorm(R value, dual<A> a, dual<A> b, dual<A> c, dual<A> d) {
  const real n = std::pow(std::hypot(std::hypot(real(a.v), real(b.v)), std::hypot(real(c.v), real(d.v))), 3);
  return chain(value, -a.v / n, a, -b.v / n, b, -c.v / n, c, -d.v / n, d);
}

}  // namespace formula
}  // namespace cladpy_oracle

#endif
