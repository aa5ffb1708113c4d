// The numbers of sixteen bits as software: bits to floats, and back in every rounding mode.
//
// Sums, products and quotients are computed in double and rounded once: a double has more than twice the digits, and
// where a sum does not fit into one, its last digit says that something was lost (rounding to odd), so that the second
// rounding is that of the exact value.
#ifndef CLADPY_HALF_ROUNDING_H
#define CLADPY_HALF_ROUNDING_H

namespace cladpy {
namespace half {

enum rounding { to_nearest, to_zero, downwards, upwards };

template <class To, class From>
__host__ __device__ inline To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To result;
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}

// A format of one sign, `Exponent` and `Mantissa` bits.
template <int Exponent, int Mantissa>
struct format {
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr int infinity = ((1 << Exponent) - 1) << Mantissa;

  __host__ __device__ static unsigned short narrow(double x, rounding mode = to_nearest) {
    const unsigned long long bits = bits_as<unsigned long long>(x), all = ~0ULL >> 1;
    const bool negative = bits >> 63;
    const unsigned short sign = static_cast<unsigned short>(negative ? 0x8000 : 0);
    const unsigned long long magnitude = bits & all, limit = 0x7ffULL << 52;
    if (magnitude > limit) return 0x7fff;
    if (magnitude == limit) return static_cast<unsigned short>(sign | infinity);
    if (magnitude == 0) return sign;
    const int exponent = static_cast<int>(magnitude >> 52) - 1023;
    unsigned long long significand = magnitude & ~limit;
    if (exponent > -1023) significand |= 1ULL << 52;
    // a number below the normal ones has the unit of the smallest of them
    const int unit = exponent < 1 - bias ? 1 - bias : exponent;
    const int dropped = 52 - Mantissa + (unit - exponent);
    unsigned long long kept = 0, rest = significand, tie = 1ULL << 62;
    if (dropped < 63) {
      kept = significand >> dropped;
      rest = significand & ((1ULL << dropped) - 1);
      tie = 1ULL << (dropped - 1);
    }
    bool up = false;
    if (mode == to_nearest) up = rest > tie || (rest == tie && (kept & 1));
    if (mode == downwards) up = negative && rest;
    if (mode == upwards) up = !negative && rest;
    const long long encoded = ((unit + bias - 1LL) << Mantissa) + static_cast<long long>(kept) + up;
    if (encoded < infinity) return static_cast<unsigned short>(sign | encoded);
    const bool finite = mode == to_zero || (mode == downwards && !negative) || (mode == upwards && negative);
    return static_cast<unsigned short>(sign | (finite ? infinity - 1 : infinity));
  }

  __host__ __device__ static float widen(unsigned short bits) {
    const unsigned sign = static_cast<unsigned>(bits & 0x8000) << 16;
    const int exponent = (bits & 0x7fff) >> Mantissa;
    const unsigned mantissa = bits & ((1u << Mantissa) - 1);
    if (exponent == (1 << Exponent) - 1) return bits_as<float>(sign | 0x7f800000u | (mantissa << (23 - Mantissa)));
    if (Exponent == 8) return bits_as<float>(static_cast<unsigned>(bits) << 16);
    if (exponent == 0) {
      const float smallest = bits_as<float>(static_cast<unsigned>(127 + 1 - bias - Mantissa) << 23);
      const float size = static_cast<float>(mantissa) * smallest;
      return sign ? -size : size;
    }
    return bits_as<float>(sign | static_cast<unsigned>(exponent + 127 - bias) << 23 | mantissa << (23 - Mantissa));
  }

  // An integer of more digits than a double: those that are lost leave a mark in the last one.
  __host__ __device__ static unsigned short from_integer(unsigned long long size, bool negative, rounding mode) {
    double x = static_cast<double>(size >> 11 | ((size & 0x7ff) != 0)) * 2048.0;
    if (size < 1ULL << 53) x = static_cast<double>(size);
    return narrow(negative ? -x : x, mode);
  }
  __host__ __device__ static unsigned short from_integer(long long value, rounding mode) {
    const unsigned long long size = static_cast<unsigned long long>(value);
    return from_integer(value < 0 ? 0 - size : size, value < 0, mode);
  }
};

// a + b, its last digit set where it is not exact.
__host__ __device__ inline double sum_to_odd(double a, double b) {
  const double sum = a + b, part = sum - a;
  const double lost = (a - (sum - part)) + (b - part);
  if (!(lost > 0.0 || lost < 0.0)) return sum;
  unsigned long long bits = bits_as<unsigned long long>(sum);
  if (bits & 1) return sum;
  bits = (lost > 0.0) == (sum > 0.0) ? bits + 1 : bits - 1;
  return bits_as<double>(bits);
}

__host__ __device__ inline double rounded(double x, rounding mode) {
  switch (mode) {
    case to_zero: return __builtin_trunc(x);
    case downwards: return __builtin_floor(x);
    case upwards: return __builtin_ceil(x);
    default: return __builtin_rint(x);
  }
}

// An integer, cut off at the ends of its type; what is no number gives `none`.
template <class T>
__host__ __device__ inline T to_integer(float value, rounding mode, T lowest, T highest, T none) {
  if (value != value) return none;
  const double x = rounded(value, mode);
  if (x <= static_cast<double>(lowest)) return lowest;
  return x >= static_cast<double>(highest) ? highest : static_cast<T>(x);
}

__host__ __device__ inline float cut(float x) { return x >= 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; }

}  // namespace half
}  // namespace cladpy

#endif
