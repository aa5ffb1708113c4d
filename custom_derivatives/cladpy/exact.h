// Sums that are the same in whatever order they are added: numbers are split into integers, a row of them for each
// element, whose positions stand for 32 bits each. Included by gradients with --accumulate=deterministic.
//
// A sum is exact until it is added to the adjoint, for up to 2^30 contributions to an element. A row of doubles has 67
// integers of 64 bits, one of floats 10.
#pragma once

#include <cmath>
#include <cstring>

namespace cladpy {

// The value of the lowest bit of a row is 2^-lowest; `bins` integers reach to the largest number, one more has flags.
template <class T>
struct exact_row;
template <>
struct exact_row<double> {
  static constexpr int lowest = 1074, bins = 66;
};
template <>
struct exact_row<float> {
  static constexpr int lowest = 149, bins = 9;
};

// An adjoint, and the rows of its elements.
struct exact_buffer {
  void *begin;
  unsigned long long count;
  unsigned long long *rows;
  unsigned long long stride;
};

// All of a launch.
struct exact_sums {
  exact_buffer buffers[16];
  int used = 0;

  template <class T>
  void expect(void *begin, unsigned long long count) {
    buffers[used++] = {begin, begin == nullptr ? 0 : count, nullptr, exact_row<T>::bins + 1};
  }
  size_t bytes() const {
    size_t words = 1;
    for (int i = 0; i < used; ++i) words += buffers[i].count * buffers[i].stride;
    return words * sizeof(unsigned long long);
  }
  void place(void *memory) {
    unsigned long long *rows = static_cast<unsigned long long *>(memory);
    for (int i = 0; i < used; ++i) {
      buffers[i].rows = rows;
      rows += buffers[i].count * buffers[i].stride;
    }
  }
};

constexpr unsigned long long exact_nan = 1, exact_positive = 2, exact_negative = 4;

// Adds a number to a row.
template <class T>
__device__ inline void exact_add_to(unsigned long long *row, T value) {
  unsigned long long bits;
  const double wide = static_cast<double>(value);
  memcpy(&bits, &wide, sizeof bits);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const bool negative = bits >> 63 != 0;
  unsigned long long mantissa = bits & 0xfffffffffffffULL;
  if (exponent == 0x7ff) {
    atomicOr(row + exact_row<T>::bins, mantissa ? exact_nan : negative ? exact_negative : exact_positive);
    return;
  }
  if (exponent) mantissa |= 1ULL << 52;
  int shift = (exponent ? exponent : 1) - 1075 + exact_row<T>::lowest;
  if (shift < 0) {  // a float is a multiple of the lowest bit: what is shifted out is zero
    mantissa >>= -shift;
    shift = 0;
  }
  const unsigned long long mask = 0xffffffffULL;
  const unsigned long long low = (mantissa & mask) << shift % 32, high = (mantissa >> 32) << shift % 32;
  const unsigned long long parts[3] = {low & mask, (low >> 32) + (high & mask), high >> 32};
  for (int i = 0; i < 3; ++i) {
    if (parts[i]) atomicAdd(row + shift / 32 + i, negative ? 0ULL - parts[i] : parts[i]);
  }
}

// Adds to an element of one of the adjoints; to one outside of what the launch was told of, as an atomic does.
template <class T>
__device__ inline void exact_add(const exact_sums &sums, T *cell, T value) {
  if (value == T(0)) return;
  for (int i = 0; i < sums.used; ++i) {
    const exact_buffer &buffer = sums.buffers[i];
    T *const begin = static_cast<T *>(buffer.begin);
    if (cell >= begin && cell < begin + buffer.count) {
      exact_add_to(buffer.rows + static_cast<unsigned long long>(cell - begin) * buffer.stride, value);
      return;
    }
  }
  atomic_add(cell, value);
}

// The sum that a row stands for.
template <class T>
__host__ __device__ inline T exact_sum(const unsigned long long *row) {
  constexpr int bins = exact_row<T>::bins;
  const unsigned long long flags = row[bins];
  if (flags) {
    const bool number = flags == exact_positive || flags == exact_negative;
    const double huge = 1e308 * 10.0;
    return static_cast<T>(!number ? huge - huge : flags == exact_positive ? huge : -huge);
  }
  unsigned int digits[bins + 1];
  long long carry = 0;
  for (int i = 0; i < bins; ++i) {
    const long long here = static_cast<long long>(row[i]) + carry;
    digits[i] = static_cast<unsigned int>(here);
    carry = here >> 32;
  }
  digits[bins] = static_cast<unsigned int>(carry);
  const bool negative = carry < 0;
  if (negative) {  // two's complement
    unsigned long long one = 1;
    for (int i = 0; i <= bins; ++i) {
      one += static_cast<unsigned int>(~digits[i]);
      digits[i] = static_cast<unsigned int>(one);
      one >>= 32;
    }
  }
  int top = bins;
  while (top > 0 && digits[top] == 0) --top;
  double sum = 0;
  for (int i = top; i >= 0 && i > top - 4; --i) {
    sum += ::ldexp(static_cast<double>(digits[i]), 32 * i - exact_row<T>::lowest);
  }
  return static_cast<T>(negative ? -sum : sum);
}

template <class T>
__host__ __device__ inline void exact_finish_one(const exact_buffer &buffer, unsigned long long i) {
  const unsigned long long *const row = buffer.rows + i * buffer.stride;
  bool any = false;
  for (unsigned long long k = 0; k < buffer.stride && !any; ++k) any = row[k] != 0;
  if (any) static_cast<T *>(buffer.begin)[i] += exact_sum<T>(row);
}

// Adds the sums of a buffer to the adjoint.
template <class T>
__global__ void exact_finish(const exact_buffer buffer) {
  const unsigned long long step = 1ULL * gridDim.x * blockDim.x;
  for (unsigned long long i = threadIdx.x + 1ULL * blockIdx.x * blockDim.x; i < buffer.count; i += step) {
    exact_finish_one<T>(buffer, i);
  }
}

inline unsigned exact_blocks(unsigned long long count) {
  const unsigned long long blocks = (count + 255) / 256;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks < 4096 ? blocks : 4096);
}

}  // namespace cladpy
