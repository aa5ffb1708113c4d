// Integer functions of two halfwords or four bytes in a word, and the combined additions, maxima and minima. Part of
// <cladpy/host.h>.
#ifndef CLADPY_HOST_SIMD_H
#define CLADPY_HOST_SIMD_H

namespace cladpy {
namespace host {

// One element of a word, as an int of the element's sign.
template <class Element> inline int element(unsigned int word, int k) {
  return static_cast<Element>(word >> 8 * static_cast<int>(sizeof(Element)) * k);
}

// f of each element of the words; the elements of the result are its low bits.
template <class Element, class F, class... Words> inline unsigned int each(F f, Words... words) {
  constexpr int bits = 8 * static_cast<int>(sizeof(Element));
  unsigned int result = 0;
  for (int k = 0; k < 32 / bits; ++k)
    result |= (static_cast<unsigned int>(f(element<Element>(words, k)...)) & ((1u << bits) - 1)) << bits * k;
  return result;
}

template <class Element, class F> inline unsigned int sum(F f, unsigned int x, unsigned int y) {
  unsigned int result = 0;
  for (int k = 0; k < 4 / static_cast<int>(sizeof(Element)); ++k)
    result += static_cast<unsigned int>(f(element<Element>(x, k), element<Element>(y, k)));
  return result;
}

// The nearest number that the element can hold.
template <class Element> inline int saturated(int x) {
  constexpr int low = std::numeric_limits<Element>::min(), high = std::numeric_limits<Element>::max();
  return x < low ? low : x > high ? high : x;
}

inline int greater(int x, int y) { return x > y ? x : y; }
inline int smaller(int x, int y) { return x < y ? x : y; }
inline int distance(int x, int y) { return x < y ? y - x : x - y; }
inline int wrapping_sum(int x, int y) { return static_cast<int>(static_cast<unsigned int>(x) + static_cast<unsigned int>(y)); }
// Halves round away from zero.
inline int signed_average(int x, int y) {
  const int half = (x + y) >> 1;
  return half < 0 ? half : half + ((x + y) & 1);
}

}  // namespace host
}  // namespace cladpy

#define CLADPY_HOST_UNARY(name, Element, lanes, expression)                                                            \
  inline unsigned int name##lanes(unsigned int a) {                                                                    \
    return cladpy::host::each<Element>([](int x) { return expression; }, a);                                           \
  }
#define CLADPY_HOST_BINARY(name, Element, lanes, expression)                                                           \
  inline unsigned int name##lanes(unsigned int a, unsigned int b) {                                                    \
    return cladpy::host::each<Element>([](int x, int y) { return expression; }, a, b);                                 \
  }
#define CLADPY_HOST_COMPARISON(name, suffix, Element, lanes, operation)                                                \
  CLADPY_HOST_BINARY(__vcmp##name##suffix, Element, lanes, x operation y ? -1 : 0)                                     \
  CLADPY_HOST_BINARY(__vset##name##suffix, Element, lanes, x operation y ? 1 : 0)
#define CLADPY_HOST_ORDER(suffix, Element, lanes)                                                                      \
  CLADPY_HOST_COMPARISON(ge, suffix, Element, lanes, >=)                                                               \
  CLADPY_HOST_COMPARISON(gt, suffix, Element, lanes, >)                                                                \
  CLADPY_HOST_COMPARISON(le, suffix, Element, lanes, <=)                                                               \
  CLADPY_HOST_COMPARISON(lt, suffix, Element, lanes, <)                                                                \
  CLADPY_HOST_BINARY(__vmax##suffix, Element, lanes, cladpy::host::greater(x, y))                                      \
  CLADPY_HOST_BINARY(__vmin##suffix, Element, lanes, cladpy::host::smaller(x, y))                                      \
  CLADPY_HOST_BINARY(__vabsdiff##suffix, Element, lanes, cladpy::host::distance(x, y))                                 \
  CLADPY_HOST_BINARY(__vadd##suffix##s, Element, lanes, cladpy::host::saturated<Element>(x + y))                       \
  CLADPY_HOST_BINARY(__vsub##suffix##s, Element, lanes, cladpy::host::saturated<Element>(x - y))                       \
  inline unsigned int __vsad##suffix##lanes(unsigned int a, unsigned int b) {                                          \
    return cladpy::host::sum<Element>(cladpy::host::distance, a, b);                                                   \
  }
#define CLADPY_HOST_LANES(lanes, Signed, Unsigned)                                                                     \
  CLADPY_HOST_ORDER(s, Signed, lanes)                                                                                  \
  CLADPY_HOST_ORDER(u, Unsigned, lanes)                                                                                \
  CLADPY_HOST_COMPARISON(eq, , Unsigned, lanes, ==)                                                                    \
  CLADPY_HOST_COMPARISON(ne, , Unsigned, lanes, !=)                                                                    \
  CLADPY_HOST_UNARY(__vabs, Signed, lanes, x < 0 ? -x : x)                                                             \
  CLADPY_HOST_UNARY(__vabsss, Signed, lanes, cladpy::host::saturated<Signed>(x < 0 ? -x : x))                          \
  CLADPY_HOST_UNARY(__vneg, Signed, lanes, -x)                                                                         \
  CLADPY_HOST_UNARY(__vnegss, Signed, lanes, cladpy::host::saturated<Signed>(-x))                                      \
  CLADPY_HOST_BINARY(__vadd, Unsigned, lanes, x + y)                                                                   \
  CLADPY_HOST_BINARY(__vsub, Unsigned, lanes, x - y)                                                                   \
  CLADPY_HOST_BINARY(__vavgs, Signed, lanes, cladpy::host::signed_average(x, y))                                       \
  CLADPY_HOST_BINARY(__vavgu, Unsigned, lanes, (x + y + 1) >> 1)                                                       \
  CLADPY_HOST_BINARY(__vhaddu, Unsigned, lanes, (x + y) >> 1)
CLADPY_HOST_LANES(2, short, unsigned short)
CLADPY_HOST_LANES(4, signed char, unsigned char)
#undef CLADPY_HOST_LANES
#undef CLADPY_HOST_ORDER
#undef CLADPY_HOST_COMPARISON
#undef CLADPY_HOST_BINARY
#undef CLADPY_HOST_UNARY

// Additions with a maximum or minimum, and maxima and minima of three. A sum wraps around.
#define CLADPY_HOST_COMBINED(name, choose, picks)                                                                      \
  inline int __viadd##name##_s32(int a, int b, int c) { return choose(cladpy::host::wrapping_sum(a, b), c); }          \
  inline int __viadd##name##_s32_relu(int a, int b, int c) {                                                           \
    return cladpy::host::greater(__viadd##name##_s32(a, b, c), 0);                                                     \
  }                                                                                                                    \
  inline unsigned int __viadd##name##_u32(unsigned int a, unsigned int b, unsigned int c) {                            \
    return a + b picks c ? a + b : c;                                                                                  \
  }                                                                                                                    \
  inline int __vi##name##3_s32(int a, int b, int c) { return choose(choose(a, b), c); }                                \
  inline int __vi##name##3_s32_relu(int a, int b, int c) {                                                             \
    return cladpy::host::greater(__vi##name##3_s32(a, b, c), 0);                                                       \
  }                                                                                                                    \
  inline unsigned int __vi##name##3_u32(unsigned int a, unsigned int b, unsigned int c) {                              \
    const unsigned int ab = a picks b ? a : b;                                                                         \
    return ab picks c ? ab : c;                                                                                        \
  }                                                                                                                    \
  inline int __vi##name##_s32_relu(int a, int b) { return cladpy::host::greater(choose(a, b), 0); }                    \
  inline unsigned int __viadd##name##_s16x2(unsigned int a, unsigned int b, unsigned int c) {                          \
    return __v##name##s2(__vadd2(a, b), c);                                                                            \
  }                                                                                                                    \
  inline unsigned int __viadd##name##_u16x2(unsigned int a, unsigned int b, unsigned int c) {                          \
    return __v##name##u2(__vadd2(a, b), c);                                                                            \
  }                                                                                                                    \
  inline unsigned int __viadd##name##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                     \
    return __vmaxs2(__viadd##name##_s16x2(a, b, c), 0);                                                                \
  }                                                                                                                    \
  inline unsigned int __vi##name##3_s16x2(unsigned int a, unsigned int b, unsigned int c) {                            \
    return __v##name##s2(__v##name##s2(a, b), c);                                                                      \
  }                                                                                                                    \
  inline unsigned int __vi##name##3_u16x2(unsigned int a, unsigned int b, unsigned int c) {                            \
    return __v##name##u2(__v##name##u2(a, b), c);                                                                      \
  }                                                                                                                    \
  inline unsigned int __vi##name##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                       \
    return __vmaxs2(__vi##name##3_s16x2(a, b, c), 0);                                                                  \
  }                                                                                                                    \
  inline unsigned int __vi##name##_s16x2_relu(unsigned int a, unsigned int b) {                                        \
    return __vmaxs2(__v##name##s2(a, b), 0);                                                                           \
  }                                                                                                                    \
  inline int __vib##name##_s32(int a, int b, bool *first) {                                                            \
    *first = a picks b;                                                                                                \
    return choose(a, b);                                                                                               \
  }                                                                                                                    \
  inline unsigned int __vib##name##_u32(unsigned int a, unsigned int b, bool *first) {                                 \
    *first = a picks b;                                                                                                \
    return a picks b ? a : b;                                                                                          \
  }                                                                                                                    \
  inline unsigned int __vib##name##_s16x2(unsigned int a, unsigned int b, bool *high, bool *low) {                     \
    *high = cladpy::host::element<short>(a, 1) picks cladpy::host::element<short>(b, 1);                               \
    *low = cladpy::host::element<short>(a, 0) picks cladpy::host::element<short>(b, 0);                                \
    return __v##name##s2(a, b);                                                                                        \
  }                                                                                                                    \
  inline unsigned int __vib##name##_u16x2(unsigned int a, unsigned int b, bool *high, bool *low) {                     \
    *high = a >> 16 picks b >> 16;                                                                                     \
    *low = (a & 0xffffu) picks(b & 0xffffu);                                                                           \
    return __v##name##u2(a, b);                                                                                        \
  }
CLADPY_HOST_COMBINED(max, cladpy::host::greater, >=)
CLADPY_HOST_COMBINED(min, cladpy::host::smaller, <=)
#undef CLADPY_HOST_COMBINED

// Dot products of bytes, or of halfwords with bytes, added to a number.
#define CLADPY_HOST_DOT(Sum, Byte, Half, char4_, short2_)                                                              \
  inline Sum __dp4a(Sum a, Sum b, Sum c) {                                                                             \
    int dot = 0;                                                                                                       \
    for (int k = 0; k < 4; ++k)                                                                                        \
      dot += cladpy::host::element<Byte>(static_cast<unsigned int>(a), k) *                                            \
             cladpy::host::element<Byte>(static_cast<unsigned int>(b), k);                                             \
    return static_cast<Sum>(static_cast<unsigned int>(dot) + static_cast<unsigned int>(c));                            \
  }                                                                                                                    \
  inline Sum cladpy_host_dp2a(Sum a, Sum b, Sum c, int first) {                                                        \
    int dot = 0;                                                                                                       \
    for (int k = 0; k < 2; ++k)                                                                                        \
      dot += cladpy::host::element<Half>(static_cast<unsigned int>(a), k) *                                            \
             cladpy::host::element<Byte>(static_cast<unsigned int>(b), first + k);                                     \
    return static_cast<Sum>(static_cast<unsigned int>(dot) + static_cast<unsigned int>(c));                            \
  }                                                                                                                    \
  inline Sum __dp2a_lo(Sum a, Sum b, Sum c) { return cladpy_host_dp2a(a, b, c, 0); }                                   \
  inline Sum __dp2a_hi(Sum a, Sum b, Sum c) { return cladpy_host_dp2a(a, b, c, 2); }                                   \
  inline Sum __dp4a(char4_ a, char4_ b, Sum c) {                                                                       \
    return static_cast<Sum>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + c;                                        \
  }                                                                                                                    \
  inline Sum __dp2a_lo(short2_ a, char4_ b, Sum c) { return static_cast<Sum>(a.x * b.x + a.y * b.y) + c; }             \
  inline Sum __dp2a_hi(short2_ a, char4_ b, Sum c) { return static_cast<Sum>(a.x * b.z + a.y * b.w) + c; }
CLADPY_HOST_DOT(int, signed char, short, char4, short2)
CLADPY_HOST_DOT(unsigned int, unsigned char, unsigned short, uchar4, ushort2)
#undef CLADPY_HOST_DOT

#endif
