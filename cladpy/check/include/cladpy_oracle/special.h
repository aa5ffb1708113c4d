// Special functions that <cmath> lacks and whose values the derivative formulas need, in long double.
#ifndef CLADPY_ORACLE_SPECIAL_H
#define CLADPY_ORACLE_SPECIAL_H

#include "cladpy_oracle/dual.h"

namespace cladpy_oracle {

constexpr real pi = 3.14159265358979323846264338327950288L;

// The logarithmic derivative of the gamma function: recurrence up to 20, then the asymptotic series.
inline real digamma(real x) {
  if (x <= 0) {
    if (x == std::floor(x)) return std::nanl("");
    return digamma(1 - x) - pi / std::tan(pi * x);
  }
  real sum = 0;
  for (; x < 20; x += 1) sum -= 1 / x;
  const real z = 1 / (x * x);
  const real series =
      z * (1.0L / 12 - z * (1.0L / 120 - z * (1.0L / 252 - z * (1.0L / 240 - z * (1.0L / 132 - z * (691.0L / 32760 - z / 12))))));
  return sum + std::log(x) - 0.5L / x - series;
}

// The inverse of erf and erfc near a value that is already good to working precision: two Newton steps.
inline real erfinv_near(real x, real guess) {
  for (int i = 0; i < 2 && std::isfinite(guess); ++i)
    guess -= (std::erf(guess) - x) * std::sqrt(pi) / 2 * std::exp(guess * guess);
  return guess;
}
inline real erfcinv_near(real x, real guess) {
  for (int i = 0; i < 2 && std::isfinite(guess); ++i)
    guess += (std::erfc(guess) - x) * std::sqrt(pi) / 2 * std::exp(guess * guess);
  return guess;
}

// exp(x*x) erfc(x): the product where it does not lose its digits, else the continued fraction.
inline real erfcx(real x) {
  if (x < 10) return std::exp(x * x) * std::erfc(x);
  real f = x;
  for (int k = 60; k > 0; --k) f = x + (k / 2.0L) / f;
  return 1 / (std::sqrt(pi) * f);
}

// The modified Bessel functions of integer order n, by their power series (all terms of one sign).
inline real bessel_i(int n, real x) {
  real term = 1;
  for (int k = 1; k <= n; ++k) term *= x / 2 / k;
  real sum = term;
  for (int k = 1; k < 2000; ++k) {
    term *= (x / 2) * (x / 2) / (real(k) * (k + n));
    sum += term;
    if (std::fabs(term) <= 1e-22L * std::fabs(sum)) break;
  }
  return sum;
}

}  // namespace cladpy_oracle

#endif
