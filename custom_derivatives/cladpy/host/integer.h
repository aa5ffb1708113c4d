// Integer intrinsics and casts of bits. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_INTEGER_H
#define CLADPY_HOST_INTEGER_H

inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
inline int __clzll(long long int x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long int x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long int x) { return __builtin_ffsll(x); }

inline unsigned int __brev(unsigned int x) {
  unsigned int reversed = 0;
  for (int k = 0; k < 32; ++k) reversed |= (x >> k & 1u) << (31 - k);
  return reversed;
}
inline unsigned long long int __brevll(unsigned long long int x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 | __brev(static_cast<unsigned>(x >> 32));
}

// The low 24 bits of the factors, as signed or unsigned numbers.
inline int __mul24(int x, int y) {
  const long long a = static_cast<int>(static_cast<unsigned>(x) << 8) >> 8;
  const long long b = static_cast<int>(static_cast<unsigned>(y) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned>(a * b));
}
inline unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffffu) * (y & 0xffffffu); }

inline int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
inline unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
inline unsigned long long int __umul64hi(unsigned long long int x, unsigned long long int y) {
  const unsigned long long xl = x & 0xffffffffu, xh = x >> 32, yl = y & 0xffffffffu, yh = y >> 32;
  const unsigned long long middle = xh * yl + (xl * yl >> 32), cross = (middle & 0xffffffffu) + xl * yh;
  return xh * yh + (middle >> 32) + (cross >> 32);
}
inline long long int __mul64hi(long long int x, long long int y) {
  unsigned long long high = __umul64hi(static_cast<unsigned long long>(x), static_cast<unsigned long long>(y));
  if (x < 0) high -= static_cast<unsigned long long>(y);
  if (y < 0) high -= static_cast<unsigned long long>(x);
  return static_cast<long long>(high);
}
inline int mulhi(int x, int y) { return __mulhi(x, y); }
inline unsigned int mulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
inline int mul24(int x, int y) { return __mul24(x, y); }
inline unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }

inline unsigned int __sad(int x, int y, unsigned int z) {
  return z + (x < y ? static_cast<unsigned>(y) - static_cast<unsigned>(x) : static_cast<unsigned>(x) - static_cast<unsigned>(y));
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return z + (x < y ? y - x : x - y); }
inline int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
inline unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (int k = 0; k < 4; ++k) result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * k & 7) & 0xff) << 8 * k;
  return result;
}
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31) >> 32);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

#define CLADPY_HOST_BITS(name, R, T)                                                                                   \
  inline R name(T x) {                                                                                                 \
    R result;                                                                                                          \
    static_assert(sizeof(R) == sizeof(T), "a cast of bits keeps the size");                                            \
    std::memcpy(&result, &x, sizeof x);                                                                                \
    return result;                                                                                                     \
  }
CLADPY_HOST_BITS(__int_as_float, float, int)
CLADPY_HOST_BITS(__uint_as_float, float, unsigned int)
CLADPY_HOST_BITS(__float_as_int, int, float)
CLADPY_HOST_BITS(__float_as_uint, unsigned int, float)
CLADPY_HOST_BITS(__longlong_as_double, double, long long int)
CLADPY_HOST_BITS(__double_as_longlong, long long int, double)
#undef CLADPY_HOST_BITS
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x) & 0xffffffffll); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      static_cast<long long>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low)));
}

#endif
