// Integer functions of two halfwords or four bytes in a word, and the combined additions, maxima and minima, for the host
// and for HIP. Part of <cladpy/host.h> and <cladpy/hip/cuda.h>, which say in CLADPY_SIMD how the functions are declared.
#ifndef CLADPY_SIMD_H
#define CLADPY_SIMD_H

namespace cladpy {
namespace simd {

// One element of a word, as an int of the element's sign.
template <class Element> __device__ inline int element(unsigned int word, int k) {
  return static_cast<Element>(word >> 8 * static_cast<int>(sizeof(Element)) * k);
}

// f of each element of the words; the elements of the result are its low bits.
template <class Element, class F, class... Words> __device__ inline unsigned int each(F f, Words... words) {
  constexpr int bits = 8 * static_cast<int>(sizeof(Element));
  unsigned int result = 0;
  for (int k = 0; k < 32 / bits; ++k)
    result |= (static_cast<unsigned int>(f(element<Element>(words, k)...)) & ((1u << bits) - 1)) << bits * k;
  return result;
}

template <class Element, class F> __device__ inline unsigned int sum(F f, unsigned int x, unsigned int y) {
  unsigned int result = 0;
  for (int k = 0; k < 4 / static_cast<int>(sizeof(Element)); ++k)
    result += static_cast<unsigned int>(f(element<Element>(x, k), element<Element>(y, k)));
  return result;
}

// The nearest number that the element can hold.
template <class Element> __device__ inline int saturated(int x) {
  constexpr int low = std::numeric_limits<Element>::min(), high = std::numeric_limits<Element>::max();
  return x < low ? low : x > high ? high : x;
}

__device__ inline int greater(int x, int y) { return x > y ? x : y; }
__device__ inline int smaller(int x, int y) { return x < y ? x : y; }
__device__ inline int distance(int x, int y) { return x < y ? y - x : x - y; }
__device__ inline int wrapping_sum(int x, int y) {
  return static_cast<int>(static_cast<unsigned int>(x) + static_cast<unsigned int>(y));
}
// Halves round away from zero.
__device__ inline int signed_average(int x, int y) {
  const int half = (x + y) >> 1;
  return half < 0 ? half : half + ((x + y) & 1);
}

}  // namespace simd
}  // namespace cladpy

#define CLADPY_SIMD_UNARY(name, Element, lanes, expression)                                                            \
  CLADPY_SIMD unsigned int name##lanes(unsigned int a) {                                                               \
    return cladpy::simd::each<Element>([](int x) { return expression; }, a);                                           \
  }
#define CLADPY_SIMD_BINARY(name, Element, lanes, expression)                                                           \
  CLADPY_SIMD unsigned int name##lanes(unsigned int a, unsigned int b) {                                               \
    return cladpy::simd::each<Element>([](int x, int y) { return expression; }, a, b);                                 \
  }
#define CLADPY_SIMD_COMPARISON(name, suffix, Element, lanes, operation)                                                \
  CLADPY_SIMD_BINARY(__vcmp##name##suffix, Element, lanes, x operation y ? -1 : 0)                                     \
  CLADPY_SIMD_BINARY(__vset##name##suffix, Element, lanes, x operation y ? 1 : 0)
#define CLADPY_SIMD_ORDER(suffix, Element, lanes)                                                                      \
  CLADPY_SIMD_COMPARISON(ge, suffix, Element, lanes, >=)                                                               \
  CLADPY_SIMD_COMPARISON(gt, suffix, Element, lanes, >)                                                                \
  CLADPY_SIMD_COMPARISON(le, suffix, Element, lanes, <=)                                                               \
  CLADPY_SIMD_COMPARISON(lt, suffix, Element, lanes, <)                                                                \
  CLADPY_SIMD_BINARY(__vmax##suffix, Element, lanes, cladpy::simd::greater(x, y))                                      \
  CLADPY_SIMD_BINARY(__vmin##suffix, Element, lanes, cladpy::simd::smaller(x, y))                                      \
  CLADPY_SIMD_BINARY(__vabsdiff##suffix, Element, lanes, cladpy::simd::distance(x, y))                                 \
  CLADPY_SIMD_BINARY(__vadd##suffix##s, Element, lanes, cladpy::simd::saturated<Element>(x + y))                       \
  CLADPY_SIMD_BINARY(__vsub##suffix##s, Element, lanes, cladpy::simd::saturated<Element>(x - y))                       \
  CLADPY_SIMD unsigned int __vsad##suffix##lanes(unsigned int a, unsigned int b) {                                     \
    return cladpy::simd::sum<Element>(cladpy::simd::distance, a, b);                                                   \
  }
#define CLADPY_SIMD_LANES(lanes, Signed, Unsigned)                                                                     \
  CLADPY_SIMD_ORDER(s, Signed, lanes)                                                                                  \
  CLADPY_SIMD_ORDER(u, Unsigned, lanes)                                                                                \
  CLADPY_SIMD_COMPARISON(eq, , Unsigned, lanes, ==)                                                                    \
  CLADPY_SIMD_COMPARISON(ne, , Unsigned, lanes, !=)                                                                    \
  CLADPY_SIMD_UNARY(__vabs, Signed, lanes, x < 0 ? -x : x)                                                             \
  CLADPY_SIMD_UNARY(__vabsss, Signed, lanes, cladpy::simd::saturated<Signed>(x < 0 ? -x : x))                          \
  CLADPY_SIMD_UNARY(__vneg, Signed, lanes, -x)                                                                         \
  CLADPY_SIMD_UNARY(__vnegss, Signed, lanes, cladpy::simd::saturated<Signed>(-x))                                      \
  CLADPY_SIMD_BINARY(__vadd, Unsigned, lanes, x + y)                                                                   \
  CLADPY_SIMD_BINARY(__vsub, Unsigned, lanes, x - y)                                                                   \
  CLADPY_SIMD_BINARY(__vavgs, Signed, lanes, cladpy::simd::signed_average(x, y))                                       \
  CLADPY_SIMD_BINARY(__vavgu, Unsigned, lanes, (x + y + 1) >> 1)                                                       \
  CLADPY_SIMD_BINARY(__vhaddu, Unsigned, lanes, (x + y) >> 1)
CLADPY_SIMD_LANES(2, short, unsigned short)
CLADPY_SIMD_LANES(4, signed char, unsigned char)
#undef CLADPY_SIMD_LANES
#undef CLADPY_SIMD_ORDER
#undef CLADPY_SIMD_COMPARISON
#undef CLADPY_SIMD_BINARY
#undef CLADPY_SIMD_UNARY

// Additions with a maximum or minimum, and maxima and minima of three. A sum wraps around.
#define CLADPY_SIMD_COMBINED(name, choose, picks)                                                                      \
  CLADPY_SIMD int __viadd##name##_s32(int a, int b, int c) { return choose(cladpy::simd::wrapping_sum(a, b), c); }     \
  CLADPY_SIMD int __viadd##name##_s32_relu(int a, int b, int c) {                                                      \
    return cladpy::simd::greater(__viadd##name##_s32(a, b, c), 0);                                                     \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __viadd##name##_u32(unsigned int a, unsigned int b, unsigned int c) {                       \
    return a + b picks c ? a + b : c;                                                                                  \
  }                                                                                                                    \
  CLADPY_SIMD int __vi##name##3_s32(int a, int b, int c) { return choose(choose(a, b), c); }                           \
  CLADPY_SIMD int __vi##name##3_s32_relu(int a, int b, int c) {                                                        \
    return cladpy::simd::greater(__vi##name##3_s32(a, b, c), 0);                                                       \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __vi##name##3_u32(unsigned int a, unsigned int b, unsigned int c) {                         \
    const unsigned int ab = a picks b ? a : b;                                                                         \
    return ab picks c ? ab : c;                                                                                        \
  }                                                                                                                    \
  CLADPY_SIMD int __vi##name##_s32_relu(int a, int b) { return cladpy::simd::greater(choose(a, b), 0); }               \
  CLADPY_SIMD unsigned int __viadd##name##_s16x2(unsigned int a, unsigned int b, unsigned int c) {                     \
    return __v##name##s2(__vadd2(a, b), c);                                                                            \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __viadd##name##_u16x2(unsigned int a, unsigned int b, unsigned int c) {                     \
    return __v##name##u2(__vadd2(a, b), c);                                                                            \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __viadd##name##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                \
    return __vmaxs2(__viadd##name##_s16x2(a, b, c), 0);                                                                \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __vi##name##3_s16x2(unsigned int a, unsigned int b, unsigned int c) {                       \
    return __v##name##s2(__v##name##s2(a, b), c);                                                                      \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __vi##name##3_u16x2(unsigned int a, unsigned int b, unsigned int c) {                       \
    return __v##name##u2(__v##name##u2(a, b), c);                                                                      \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __vi##name##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                  \
    return __vmaxs2(__vi##name##3_s16x2(a, b, c), 0);                                                                  \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __vi##name##_s16x2_relu(unsigned int a, unsigned int b) {                                   \
    return __vmaxs2(__v##name##s2(a, b), 0);                                                                           \
  }                                                                                                                    \
  CLADPY_SIMD int __vib##name##_s32(int a, int b, bool *first) {                                                       \
    *first = a picks b;                                                                                                \
    return choose(a, b);                                                                                               \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __vib##name##_u32(unsigned int a, unsigned int b, bool *first) {                            \
    *first = a picks b;                                                                                                \
    return a picks b ? a : b;                                                                                          \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __vib##name##_s16x2(unsigned int a, unsigned int b, bool *high, bool *low) {                \
    *high = cladpy::simd::element<short>(a, 1) picks cladpy::simd::element<short>(b, 1);                               \
    *low = cladpy::simd::element<short>(a, 0) picks cladpy::simd::element<short>(b, 0);                                \
    return __v##name##s2(a, b);                                                                                        \
  }                                                                                                                    \
  CLADPY_SIMD unsigned int __vib##name##_u16x2(unsigned int a, unsigned int b, bool *high, bool *low) {                \
    *high = a >> 16 picks b >> 16;                                                                                     \
    *low = (a & 0xffffu) picks(b & 0xffffu);                                                                           \
    return __v##name##u2(a, b);                                                                                        \
  }
CLADPY_SIMD_COMBINED(max, cladpy::simd::greater, >=)
CLADPY_SIMD_COMBINED(min, cladpy::simd::smaller, <=)
#undef CLADPY_SIMD_COMBINED

// Dot products of bytes, or of halfwords with bytes, added to a number.
#define CLADPY_SIMD_DOT(Sum, Byte, Half, char4_, short2_)                                                              \
  CLADPY_SIMD Sum __dp4a(Sum a, Sum b, Sum c) {                                                                        \
    int dot = 0;                                                                                                       \
    for (int k = 0; k < 4; ++k)                                                                                        \
      dot += cladpy::simd::element<Byte>(static_cast<unsigned int>(a), k) *                                            \
             cladpy::simd::element<Byte>(static_cast<unsigned int>(b), k);                                             \
    return static_cast<Sum>(static_cast<unsigned int>(dot) + static_cast<unsigned int>(c));                            \
  }                                                                                                                    \
  CLADPY_SIMD Sum cladpy_simd_dp2a(Sum a, Sum b, Sum c, int first) {                                                   \
    int dot = 0;                                                                                                       \
    for (int k = 0; k < 2; ++k)                                                                                        \
      dot += cladpy::simd::element<Half>(static_cast<unsigned int>(a), k) *                                            \
             cladpy::simd::element<Byte>(static_cast<unsigned int>(b), first + k);                                     \
    return static_cast<Sum>(static_cast<unsigned int>(dot) + static_cast<unsigned int>(c));                            \
  }                                                                                                                    \
  CLADPY_SIMD Sum __dp2a_lo(Sum a, Sum b, Sum c) { return cladpy_simd_dp2a(a, b, c, 0); }                              \
  CLADPY_SIMD Sum __dp2a_hi(Sum a, Sum b, Sum c) { return cladpy_simd_dp2a(a, b, c, 2); }                              \
  CLADPY_SIMD Sum __dp4a(char4_ a, char4_ b, Sum c) {                                                                  \
    return static_cast<Sum>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + c;                                        \
  }                                                                                                                    \
  CLADPY_SIMD Sum __dp2a_lo(short2_ a, char4_ b, Sum c) { return static_cast<Sum>(a.x * b.x + a.y * b.y) + c; }        \
  CLADPY_SIMD Sum __dp2a_hi(short2_ a, char4_ b, Sum c) { return static_cast<Sum>(a.x * b.z + a.y * b.w) + c; }
CLADPY_SIMD_DOT(int, signed char, short, char4, short2)
CLADPY_SIMD_DOT(unsigned int, unsigned char, unsigned short, uchar4, ushort2)
#undef CLADPY_SIMD_DOT

#endif
