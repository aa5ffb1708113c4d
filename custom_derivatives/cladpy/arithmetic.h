// What emitted gradients compute with numbers besides the language: products with zeros, quotients, sines, counts of loops.
// Part of <cladpy/support.h>.
#pragma once

namespace cladpy {

// What is marked as nondifferentiable: the number, without its derivative.
template <class T>
__host__ __device__ inline T detached(T x) {
  return x;
}

// 0 where `factor` is 0, and `x` elsewhere.
template <class T>
__host__ __device__ inline T unless_zero(T factor, T x) {
  return factor == T(0) ? T(0) : x;
}
#if defined(CLADPY_HOST_STRAIGHT) && defined(CLADPY_HOST_ELEMENTARY)
// Without a comparison, so that also a block outside of a loop, such as the four parts of a vector, is computed at once.
inline float unless_zero(float factor, float x) {
  const unsigned size = __builtin_bit_cast(unsigned, factor) & 0x7fffffffu, mask = -((size + 0x7fffffffu) >> 31);
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) & mask);
}
#endif

// A zero adjoint contributes zero, also where the partial is infinite or not a number. The product comes first: in an arm
// of the choice, compilers make a branch around it, and move what it is made of there, loads from memory as well.
template <class T>
__host__ __device__ inline T times(T adjoint, T partial) {
  const T product = adjoint * partial;
  return unless_zero(adjoint, product);
}

// A product of which one factor is zero is zero, whatever the other.
template <class T>
__host__ __device__ inline T product(T factor, T tangent) {
  return factor == T(0) ? T(0) : times(tangent, factor);
}

// What was not taken gets nothing, whatever the adjoint is: infinite, or not a number.
template <class T>
__host__ __device__ inline T chosen(T adjoint, T share) {
  const T product = adjoint * share;
  return unless_zero(share, product);
}

template <class T>
__host__ __device__ inline T reciprocal(T x) {
  return T(1) / x;
}
#if defined(__CUDACC__) && !defined(__HIP__) && !defined(CLADPY_HOST_H)
// On the device within a unit in the last place, and without the branch for what is tiny or huge.
__host__ __device__ inline float reciprocal(float x) {
#ifdef __CUDA_ARCH__
  float result;
  asm("rcp.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1.0f / x;
#endif
}
#endif

// The quotient, by a reciprocal: a GPU has that in half the time, other quotients by the same number share it, and a
// division takes a detour where its dividend is zero or tiny, as adjoints are.
template <class T>
__host__ __device__ inline T over(T adjoint, T divisor) {
  return times(adjoint, reciprocal(divisor));
}

// Sine and cosine of one number, which is reduced once for both.
template <class T>
struct circular {
  T sine_, cosine_;
};

#define CLADPY_CIRCULAR(T, name, function)                 \
  __host__ __device__ inline circular<T> name(T x) {       \
    circular<T> both;                                      \
    ::function(x, &both.sine_, &both.cosine_);             \
    return both;                                           \
  }
CLADPY_CIRCULAR(double, turn, sincos)
CLADPY_CIRCULAR(float, turn, sincosf)
CLADPY_CIRCULAR(double, half_turn, sincospi)
CLADPY_CIRCULAR(float, half_turn, sincospif)
#undef CLADPY_CIRCULAR

template <class T>
__host__ __device__ inline T sine(const circular<T> &both) {
  return both.sine_;
}

template <class T>
__host__ __device__ inline T cosine(const circular<T> &both) {
  return both.cosine_;
}

// Sums and products that compilers do not contract into multiply-adds: what decides a branch or an index must come out
// the same wherever it is evaluated.
#if defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H)
__device__ inline double add_rn(double a, double b) { return __dadd_rn(a, b); }
__device__ inline double sub_rn(double a, double b) { return __dsub_rn(a, b); }
__device__ inline double mul_rn(double a, double b) { return __dmul_rn(a, b); }
__device__ inline float add_rn(float a, float b) { return __fadd_rn(a, b); }
__device__ inline float sub_rn(float a, float b) { return __fsub_rn(a, b); }
__device__ inline float mul_rn(float a, float b) { return __fmul_rn(a, b); }
#else
#if defined(__HIP__)  // whose compiler contracts across functions unless it is told not to
#define CLADPY_AS_WRITTEN _Pragma("clang fp contract(off)")
#else
#define CLADPY_AS_WRITTEN
#endif
template <class T>
__host__ __device__ inline T add_rn(T a, T b) {
  CLADPY_AS_WRITTEN
  return a + b;
}
template <class T>
__host__ __device__ inline T sub_rn(T a, T b) {
  CLADPY_AS_WRITTEN
  return a - b;
}
template <class T>
__host__ __device__ inline T mul_rn(T a, T b) {
  CLADPY_AS_WRITTEN
  return a * b;
}
#undef CLADPY_AS_WRITTEN
#endif

// How often a loop runs that halves, or doubles, while its variable is above, or below, a limit.
__host__ __device__ inline long halvings(long x, long limit, int amount) {
  long count = 0;
  for (; x > limit; x >>= amount) ++count;
  return count;
}
__host__ __device__ inline long doublings(long x, long limit, int amount) {
  long count = 0;
  for (; x < limit; x <<= amount) ++count;
  return count;
}

}  // namespace cladpy
