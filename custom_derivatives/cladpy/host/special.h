// Special functions of the CUDA math API that the C library lacks. Part of <cladpy/host.h>.
//
// Double precision to a few units in the last place; the float forms in math.h round these.
#ifndef CLADPY_HOST_SPECIAL_H
#define CLADPY_HOST_SPECIAL_H

namespace cladpy {
namespace host {
namespace special {

constexpr double pi = 3.14159265358979323846;
constexpr double two_over_sqrt_pi = 1.12837916709551257390;
constexpr double sqrt_half = 0.70710678118654752440;
constexpr double sqrt_half_low = -4.833646656726456e-17; // sqrt(1/2) - sqrt_half
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// sin(pi x): the argument is reduced exactly.
inline double sinpi(double x) {
  if (!std::isfinite(x)) return nan;
  const double r = std::fabs(std::fmod(x, 2.0)); // 0 <= r < 2
  double value;
  if (r == std::floor(r))
    return std::copysign(0.0, x);
  else if (r <= 0.25)
    value = std::sin(pi * r);
  else if (r < 0.75)
    value = std::cos(pi * (0.5 - r));
  else if (r <= 1.25)
    value = std::sin(pi * (1.0 - r));
  else if (r < 1.75)
    value = -std::cos(pi * (1.5 - r));
  else
    value = std::sin(pi * (r - 2.0));
  return std::signbit(x) ? -value : value;
}

inline double cospi(double x) {
  if (!std::isfinite(x)) return nan;
  const double r = std::fabs(std::fmod(x, 2.0));
  if (r <= 0.25) return std::cos(pi * r);
  if (r < 0.75) return r == 0.5 ? 0.0 : std::sin(pi * (0.5 - r));
  if (r <= 1.25) return -std::cos(pi * (r - 1.0));
  if (r < 1.75) return r == 1.5 ? 0.0 : std::sin(pi * (r - 1.5));
  return std::cos(pi * (2.0 - r));
}

// exp(x^2) erfc(x). From 10 on the asymptotic series, whose smallest term is far below the rounding error.
inline double erfcx(double x) {
  if (x < 10.0) {
    const double square = x * x, rest = std::fma(x, x, -square);
    if (x < -26.7) return infinity;
    const double growth = std::exp(square), factor = growth + growth * rest;
    if (x < -6.0) return 2.0 * factor; // erfc is 2 to the last bit
    return factor * std::erfc(x);
  }
  if (std::isnan(x)) return x;
  if (x > 1e9) return two_over_sqrt_pi / 2 / x;
  const double t = 0.5 / (x * x);
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 30; ++k) {
    term *= -(2 * k - 1) * t;
    sum += term;
    if (std::fabs(term) < 1e-18) break;
  }
  return two_over_sqrt_pi / 2 * sum / x;
}

// The rational start of the inverse normal distribution (P. J. Acklam), relative error below 1.2e-9 in 0 < p < 1.
inline double normcdfinv_start(double p) {
  const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
                      1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
                      -1.328068155288572e+01};
  const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                      -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  const double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
  if (p < 0.02425) {
    const double q = std::sqrt(-2 * std::log(p));
    return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
           ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
  }
  const double q = p - 0.5, r = q * q;
  return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
         (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

// The x >= 0 with erfc(x) = y, for 0 < y <= 1: Halley's steps on log erfc where y is small, on erf where it is not.
inline double erfcinv_upper(double y) {
  double x = y > 0.9 ? (1.0 - y) / two_over_sqrt_pi : -sqrt_half * normcdfinv_start(y / 2);
  for (int k = 0; k < 3; ++k) {
    const double scaled = erfcx(x);
    if (y > 0.5) {
      const double error = ((1.0 - y) - std::erf(x)) / (two_over_sqrt_pi * std::exp(-x * x)); // Newton's step
      x += error / (1.0 + x * error);
    } else {
      // log erfc(x) = log erfcx(x) - x^2, its derivative -(2/sqrt(pi)) / erfcx(x)
      const double error = (std::log(scaled) - x * x - std::log(y)) * scaled / two_over_sqrt_pi;
      x += error;
    }
  }
  return x;
}

inline double erfcinv(double y) {
  if (!(y >= 0.0 && y <= 2.0)) return nan;
  if (y == 0.0) return infinity;
  if (y == 2.0) return -infinity;
  return y <= 1.0 ? erfcinv_upper(y) : -erfcinv_upper(2.0 - y);
}

inline double erfinv(double x) {
  const double size = std::fabs(x);
  if (!(size <= 1.0)) return nan;
  if (size == 1.0) return std::copysign(infinity, x);
  if (size > 0.5) return std::copysign(erfcinv_upper(1.0 - size), x); // 1 - size is exact
  double y = size / two_over_sqrt_pi * (1.0 + pi / 12 * size * size);
  for (int k = 0; k < 4 && y > 1e-9; ++k) {
    const double error = (size - std::erf(y)) / (two_over_sqrt_pi * std::exp(-y * y));
    y += error / (1.0 + y * error);
  }
  return std::copysign(y, x);
}

// x / sqrt(2) is kept to twice the precision: in the tail its error would be magnified by x^2.
inline double normcdf(double x) {
  const double z = -x * sqrt_half;
  const double rest = std::fma(-x, sqrt_half, -z) - x * sqrt_half_low;
  const double value = 0.5 * std::erfc(z);
  return std::isfinite(rest) ? value - 0.5 * two_over_sqrt_pi * std::exp(-z * z) * rest : value;
}

inline double normcdfinv(double p) {
  if (!(p >= 0.0 && p <= 1.0)) return nan;
  if (p == 0.0) return -infinity;
  if (p == 1.0) return infinity;
  if (std::fabs(p - 0.5) < 0.25) return erfinv(2.0 * (p - 0.5)) / sqrt_half; // p - 0.5 is exact
  return p < 0.5 ? -erfcinv_upper(2.0 * p) / sqrt_half : erfcinv_upper(2.0 * (1.0 - p)) / sqrt_half;
}

// Modified Bessel functions: power series (all terms positive) up to 30, asymptotic series beyond.
inline double bessel_i(int order, double x) {
  const double size = std::fabs(x);
  if (std::isnan(x)) return x;
  double value;
  if (size <= 30.0) {
    const double quarter = size * size / 4;
    double term = order == 0 ? 1.0 : size / 2, sum = term;
    for (int k = 1; k < 200 && term > sum * 1e-18; ++k) {
      term *= quarter / (double(k) * (k + order));
      sum += term;
    }
    value = sum;
  } else if (std::isinf(size)) {
    value = infinity;
  } else {
    double term = 1.0, sum = 1.0;
    for (int k = 1; k < 60 && std::fabs(term) > 1e-18; ++k) {
      term *= -(4.0 * order * order - double(2 * k - 1) * (2 * k - 1)) / (8.0 * k * size);
      sum += term;
    }
    const double half = std::exp(size / 2); // exp(x) may overflow where the result does not
    value = half * (sum / std::sqrt(2 * pi * size)) * half;
  }
  return order == 1 ? std::copysign(value, x) : value;
}

// The Euclidean norm without overflow: scaled by a power of two. Of no numbers it is that of the first, as CUDA has it.
template <class T> T norm(int given, const T *x) {
  const int count = given < 1 ? 1 : given;
  T largest = 0;
  bool nan_seen = false;
  for (int k = 0; k < count; ++k) {
    if (std::isinf(x[k])) return std::numeric_limits<T>::infinity();
    nan_seen = nan_seen || std::isnan(x[k]);
    largest = std::fmax(largest, std::fabs(x[k]));
  }
  if (nan_seen) return std::numeric_limits<T>::quiet_NaN();
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest);
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    const double scaled = std::scalbn(double(x[k]), -exponent);
    sum = std::fma(scaled, scaled, sum);
  }
  return T(std::scalbn(std::sqrt(sum), exponent));
}

} // namespace special
} // namespace host
} // namespace cladpy

#endif
