// A number of sixteen bits, a pair of them, and CUDA's functions of both: the text of half.h and bfloat16.h, which define
//
//   CLADPY_HALF, CLADPY_PAIR    the names of the types
//   CLADPY_RAW, CLADPY_RAW_PAIR those of their bits
//   CLADPY_TOKEN                how the functions' names call the type
//   CLADPY_FORMAT               a cladpy::half::format
//
// Functions of numbers are what there are derivatives of. Those of pairs are read: they are made of the former.

#define CLADPY_JOIN_(a, b, c, d) a##b##c##d
#define CLADPY_JOIN(a, b, c, d) CLADPY_JOIN_(a, b, c, d)
#define CLADPY_TO(from, how) CLADPY_JOIN(__, from##2, CLADPY_TOKEN, how)  // __float2half_rn
#define CLADPY_FROM(to) CLADPY_JOIN(__, CLADPY_TOKEN, to, )              // __half2float
#define CLADPY_HALF_API __host__ __device__ inline
#if defined(__HIP__) && !defined(CLADPY_HOST_H)  // whose compiler has no code for all of the builtin functions
#define CLADPY_MATH(name) ::name
#else
#define CLADPY_MATH(name) __builtin_##name
#endif

struct alignas(2) CLADPY_RAW {
  unsigned short x;
};
struct alignas(4) CLADPY_RAW_PAIR {
  unsigned short x, y;
};

// ---- the number -------------------------------------------------------------------------------------------------------

struct alignas(2) CLADPY_HALF {
 protected:
  unsigned short __x;

 public:
  CLADPY_HALF() = default;
  __host__ __device__ constexpr CLADPY_HALF(const CLADPY_RAW &bits) : __x(bits.x) {}
  __host__ __device__ operator CLADPY_RAW() const { return CLADPY_RAW{__x}; }
  // volatile numbers are copied by their bits
  __host__ __device__ operator CLADPY_RAW() const volatile { return CLADPY_RAW{__x}; }
  __host__ __device__ volatile CLADPY_HALF &operator=(const CLADPY_RAW &bits) volatile {
    __x = bits.x;
    return *this;
  }
#define CLADPY_OF_BITS(bits) CLADPY_HALF(CLADPY_RAW{bits})
#define CLADPY_ROUND(x) CLADPY_OF_BITS(CLADPY_FORMAT::narrow(x))
#define CLADPY_CONVERSIONS(T)                                                                                          \
  __host__ __device__ CLADPY_HALF(T value) : __x(CLADPY_FORMAT::from_integer(static_cast<long long>(value), cladpy::half::to_nearest)) {}
#if !defined(CLADPY_NO_CONVERSIONS)
  __host__ __device__ CLADPY_HALF(float value) : __x(CLADPY_FORMAT::narrow(value)) {}
  __host__ __device__ CLADPY_HALF(double value) : __x(CLADPY_FORMAT::narrow(value)) {}
  CLADPY_CONVERSIONS(short)
  CLADPY_CONVERSIONS(unsigned short)
  CLADPY_CONVERSIONS(int)
  CLADPY_CONVERSIONS(unsigned int)
  CLADPY_CONVERSIONS(long)
  CLADPY_CONVERSIONS(long long)
  __host__ __device__ CLADPY_HALF(unsigned long value)
      : __x(CLADPY_FORMAT::from_integer(value, false, cladpy::half::to_nearest)) {}
  __host__ __device__ CLADPY_HALF(unsigned long long value)
      : __x(CLADPY_FORMAT::from_integer(value, false, cladpy::half::to_nearest)) {}
  explicit __host__ __device__ CLADPY_HALF(CLADPY_OTHER value);
  __host__ __device__ operator float() const { return CLADPY_FORMAT::widen(__x); }
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
  __host__ __device__ operator signed char() const;
  __host__ __device__ operator unsigned char() const;
  __host__ __device__ operator char() const;
  __host__ __device__ operator short() const;
  __host__ __device__ operator unsigned short() const;
  __host__ __device__ operator int() const;
  __host__ __device__ operator unsigned int() const;
  __host__ __device__ operator long() const;
  __host__ __device__ operator unsigned long() const;
  __host__ __device__ operator long long() const;
  __host__ __device__ operator unsigned long long() const;
#endif
#undef CLADPY_CONVERSIONS
};

CLADPY_HALF_API float CLADPY_FROM(2float)(const CLADPY_HALF a) {
  return CLADPY_FORMAT::widen(static_cast<CLADPY_RAW>(a).x);
}
#define CLADPY_WIDE(a) CLADPY_FROM(2float)(a)

// ---- conversions ------------------------------------------------------------------------------------------------------

CLADPY_HALF_API CLADPY_HALF CLADPY_TO(double, )(const double a) { return CLADPY_ROUND(a); }
CLADPY_HALF_API CLADPY_HALF CLADPY_TO(float, )(const float a) { return CLADPY_ROUND(a); }
CLADPY_HALF_API CLADPY_HALF CLADPY_TO(float, _rn)(const float a) { return CLADPY_ROUND(a); }

#define CLADPY_ROUNDED(how, mode)                                                                                      \
  CLADPY_HALF_API CLADPY_HALF CLADPY_TO(float, how)(const float a) {                                                   \
    return CLADPY_OF_BITS(CLADPY_FORMAT::narrow(a, cladpy::half::mode));                                               \
  }
CLADPY_ROUNDED(_rz, to_zero)
CLADPY_ROUNDED(_rd, downwards)
CLADPY_ROUNDED(_ru, upwards)
#undef CLADPY_ROUNDED

#define CLADPY_INTEGER(T, name, lowest, highest, none, how, mode)                                                      \
  CLADPY_HALF_API T CLADPY_FROM(2##name##how)(const CLADPY_HALF a) {                                                   \
    return cladpy::half::to_integer<T>(CLADPY_WIDE(a), cladpy::half::mode, lowest, highest, none);                     \
  }
#define CLADPY_FROM_SIGNED(T, name, how, mode)                                                                         \
  CLADPY_HALF_API CLADPY_HALF CLADPY_TO(name, how)(const T a) {                                                        \
    return CLADPY_OF_BITS(CLADPY_FORMAT::from_integer(static_cast<long long>(a), cladpy::half::mode));                 \
  }
#define CLADPY_FROM_UNSIGNED(T, name, how, mode)                                                                       \
  CLADPY_HALF_API CLADPY_HALF CLADPY_TO(name, how)(const T a) {                                                        \
    return CLADPY_OF_BITS(CLADPY_FORMAT::from_integer(a, false, cladpy::half::mode));                                  \
  }
#define CLADPY_MODES(what, ...)                                                                                        \
  what(__VA_ARGS__, _rn, to_nearest) what(__VA_ARGS__, _rz, to_zero) what(__VA_ARGS__, _rd, downwards)                 \
      what(__VA_ARGS__, _ru, upwards)
CLADPY_INTEGER(signed char, char, -128, 127, 0, _rz, to_zero)
CLADPY_INTEGER(unsigned char, uchar, 0, 255, 0, _rz, to_zero)
CLADPY_MODES(CLADPY_INTEGER, short, short, -32768, 32767, 0)
CLADPY_MODES(CLADPY_INTEGER, unsigned short, ushort, 0, 65535, 0)
CLADPY_MODES(CLADPY_INTEGER, int, int, -0x7fffffff - 1, 0x7fffffff, 0)
CLADPY_MODES(CLADPY_INTEGER, unsigned int, uint, 0u, 0xffffffffu, 0u)
CLADPY_MODES(CLADPY_INTEGER, long long, ll, -0x7fffffffffffffffLL - 1, 0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1)
CLADPY_MODES(CLADPY_INTEGER, unsigned long long, ull, 0ULL, ~0ULL, 1ULL << 63)
CLADPY_MODES(CLADPY_FROM_SIGNED, short, short)
CLADPY_MODES(CLADPY_FROM_SIGNED, int, int)
CLADPY_MODES(CLADPY_FROM_SIGNED, long long, ll)
CLADPY_MODES(CLADPY_FROM_UNSIGNED, unsigned short, ushort)
CLADPY_MODES(CLADPY_FROM_UNSIGNED, unsigned int, uint)
CLADPY_MODES(CLADPY_FROM_UNSIGNED, unsigned long long, ull)
#undef CLADPY_INTEGER
#undef CLADPY_FROM_SIGNED
#undef CLADPY_FROM_UNSIGNED
#undef CLADPY_MODES

#if !defined(CLADPY_NO_CONVERSIONS)
CLADPY_HALF_API CLADPY_HALF::operator signed char() const { return CLADPY_FROM(2char_rz)(*this); }
CLADPY_HALF_API CLADPY_HALF::operator unsigned char() const { return CLADPY_FROM(2uchar_rz)(*this); }
CLADPY_HALF_API CLADPY_HALF::operator char() const { return static_cast<char>(CLADPY_FROM(2char_rz)(*this)); }
CLADPY_HALF_API CLADPY_HALF::operator short() const { return CLADPY_FROM(2short_rz)(*this); }
CLADPY_HALF_API CLADPY_HALF::operator unsigned short() const { return CLADPY_FROM(2ushort_rz)(*this); }
CLADPY_HALF_API CLADPY_HALF::operator int() const { return CLADPY_FROM(2int_rz)(*this); }
CLADPY_HALF_API CLADPY_HALF::operator unsigned int() const { return CLADPY_FROM(2uint_rz)(*this); }
CLADPY_HALF_API CLADPY_HALF::operator long() const { return static_cast<long>(CLADPY_FROM(2ll_rz)(*this)); }
CLADPY_HALF_API CLADPY_HALF::operator unsigned long() const {
  return static_cast<unsigned long>(CLADPY_FROM(2ull_rz)(*this));
}
CLADPY_HALF_API CLADPY_HALF::operator long long() const { return CLADPY_FROM(2ll_rz)(*this); }
CLADPY_HALF_API CLADPY_HALF::operator unsigned long long() const { return CLADPY_FROM(2ull_rz)(*this); }
#endif

CLADPY_HALF_API short CLADPY_FROM(_as_short)(const CLADPY_HALF a) {
  return static_cast<short>(static_cast<CLADPY_RAW>(a).x);
}
CLADPY_HALF_API unsigned short CLADPY_FROM(_as_ushort)(const CLADPY_HALF a) { return static_cast<CLADPY_RAW>(a).x; }
CLADPY_HALF_API CLADPY_HALF CLADPY_JOIN(__short_as_, CLADPY_TOKEN, , )(const short bits) {
  return CLADPY_OF_BITS(static_cast<unsigned short>(bits));
}
CLADPY_HALF_API CLADPY_HALF CLADPY_JOIN(__ushort_as_, CLADPY_TOKEN, , )(const unsigned short bits) {
  return CLADPY_OF_BITS(bits);
}

// ---- arithmetic -------------------------------------------------------------------------------------------------------

#define CLADPY_ONE(name, value)                                                                                        \
  CLADPY_HALF_API CLADPY_HALF name(const CLADPY_HALF x) {                                                              \
    const float a = CLADPY_WIDE(x);                                                                                    \
    return CLADPY_ROUND(value);                                                                                        \
  }
#define CLADPY_TWO(name, value)                                                                                        \
  CLADPY_HALF_API CLADPY_HALF name(const CLADPY_HALF x, const CLADPY_HALF y) {                                         \
    const float a = CLADPY_WIDE(x), b = CLADPY_WIDE(y);                                                                \
    return CLADPY_ROUND(value);                                                                                        \
  }
#define CLADPY_PRODUCT static_cast<double>(a) * b
#define CLADPY_AGAIN(x) CLADPY_WIDE(CLADPY_ROUND(x))
CLADPY_TWO(__hadd, cladpy::half::sum_to_odd(a, b))
CLADPY_TWO(__hsub, cladpy::half::sum_to_odd(a, -b))
CLADPY_TWO(__hmul, CLADPY_PRODUCT)
CLADPY_TWO(__hadd_rn, cladpy::half::sum_to_odd(a, b))
CLADPY_TWO(__hsub_rn, cladpy::half::sum_to_odd(a, -b))
CLADPY_TWO(__hmul_rn, CLADPY_PRODUCT)
CLADPY_TWO(__hdiv, static_cast<double>(a) / b)
CLADPY_TWO(__hadd_sat, cladpy::half::cut(CLADPY_AGAIN(cladpy::half::sum_to_odd(a, b))))
CLADPY_TWO(__hsub_sat, cladpy::half::cut(CLADPY_AGAIN(cladpy::half::sum_to_odd(a, -b))))
CLADPY_TWO(__hmul_sat, cladpy::half::cut(CLADPY_AGAIN(CLADPY_PRODUCT)))
// of the zeros the positive one is larger; a number is larger and smaller than what is none
CLADPY_TWO(__hmax, a > b || b != b ? a : b > a || a != a ? b : __builtin_signbit(a) ? b : a)
CLADPY_TWO(__hmin, a < b || b != b ? a : b < a || a != a ? b : __builtin_signbit(a) ? a : b)
CLADPY_TWO(__hmax_nan, a != a || b != b ? a + b : a > b ? a : b > a ? b : __builtin_signbit(a) ? b : a)
CLADPY_TWO(__hmin_nan, a != a || b != b ? a + b : a < b ? a : b < a ? b : __builtin_signbit(a) ? a : b)

#define CLADPY_THREE(name, value)                                                                                      \
  CLADPY_HALF_API CLADPY_HALF name(const CLADPY_HALF x, const CLADPY_HALF y, const CLADPY_HALF z) {                    \
    const float a = CLADPY_WIDE(x), b = CLADPY_WIDE(y), c = CLADPY_WIDE(z);                                            \
    const double sum = cladpy::half::sum_to_odd(CLADPY_PRODUCT, c);                                                    \
    return CLADPY_ROUND(value);                                                                                        \
  }
CLADPY_THREE(__hfma, sum)
CLADPY_THREE(__hfma_sat, cladpy::half::cut(CLADPY_AGAIN(sum)))
CLADPY_THREE(__hfma_relu, sum < 0.0 ? 0.0 : sum)

CLADPY_HALF_API CLADPY_HALF __hneg(const CLADPY_HALF x) {
  return CLADPY_OF_BITS(static_cast<unsigned short>(static_cast<CLADPY_RAW>(x).x ^ 0x8000));
}
CLADPY_HALF_API CLADPY_HALF __habs(const CLADPY_HALF x) {
  return CLADPY_OF_BITS(static_cast<unsigned short>(static_cast<CLADPY_RAW>(x).x & 0x7fff));
}
CLADPY_ONE(htrunc, __builtin_trunc(a))
CLADPY_ONE(hceil, __builtin_ceil(a))
CLADPY_ONE(hfloor, __builtin_floor(a))
CLADPY_ONE(hrint, __builtin_rint(a))
CLADPY_ONE(hsqrt, __builtin_sqrt(static_cast<double>(a)))
CLADPY_ONE(hrsqrt, 1.0 / __builtin_sqrt(static_cast<double>(a)))
CLADPY_ONE(hrcp, 1.0 / static_cast<double>(a))
CLADPY_ONE(hlog, CLADPY_MATH(log)(static_cast<double>(a)))
CLADPY_ONE(hlog2, CLADPY_MATH(log2)(static_cast<double>(a)))
CLADPY_ONE(hlog10, CLADPY_MATH(log10)(static_cast<double>(a)))
CLADPY_ONE(hexp, CLADPY_MATH(exp)(static_cast<double>(a)))
CLADPY_ONE(hexp2, CLADPY_MATH(exp2)(static_cast<double>(a)))
CLADPY_ONE(hexp10, CLADPY_MATH(pow)(10.0, static_cast<double>(a)))
CLADPY_ONE(htanh, CLADPY_MATH(tanh)(static_cast<double>(a)))
CLADPY_ONE(htanh_approx, CLADPY_MATH(tanh)(static_cast<double>(a)))
CLADPY_ONE(hsin, CLADPY_MATH(sin)(static_cast<double>(a)))
CLADPY_ONE(hcos, CLADPY_MATH(cos)(static_cast<double>(a)))
#undef CLADPY_ONE
#undef CLADPY_TWO
#undef CLADPY_THREE
#undef CLADPY_PRODUCT
#undef CLADPY_AGAIN

// ---- comparisons ------------------------------------------------------------------------------------------------------

#define CLADPY_COMPARISON(name, op)                                                                                    \
  CLADPY_HALF_API bool __h##name(const CLADPY_HALF x, const CLADPY_HALF y) { return CLADPY_WIDE(x) op CLADPY_WIDE(y); } \
  CLADPY_HALF_API bool __h##name##u(const CLADPY_HALF x, const CLADPY_HALF y) {                                        \
    const float a = CLADPY_WIDE(x), b = CLADPY_WIDE(y);                                                                \
    return a op b || a != a || b != b;                                                                                 \
  }
CLADPY_COMPARISON(eq, ==)
CLADPY_COMPARISON(le, <=)
CLADPY_COMPARISON(ge, >=)
CLADPY_COMPARISON(lt, <)
CLADPY_COMPARISON(gt, >)
#undef CLADPY_COMPARISON
CLADPY_HALF_API bool __hneu(const CLADPY_HALF x, const CLADPY_HALF y) { return CLADPY_WIDE(x) != CLADPY_WIDE(y); }
// unlike the operator, false for what is no number
CLADPY_HALF_API bool __hne(const CLADPY_HALF x, const CLADPY_HALF y) {
  const float a = CLADPY_WIDE(x), b = CLADPY_WIDE(y);
  return a < b || a > b;
}
CLADPY_HALF_API bool __hisnan(const CLADPY_HALF x) { return CLADPY_WIDE(x) != CLADPY_WIDE(x); }
CLADPY_HALF_API int __hisinf(const CLADPY_HALF x) {
  const unsigned short bits = static_cast<CLADPY_RAW>(x).x;
  return (bits & 0x7fff) != CLADPY_FORMAT::infinity ? 0 : bits & 0x8000 ? -1 : 1;
}

// ---- the pair ---------------------------------------------------------------------------------------------------------

struct alignas(4) CLADPY_PAIR {
  CLADPY_HALF x, y;

  CLADPY_PAIR() = default;
  __host__ __device__ CLADPY_PAIR(const CLADPY_HALF &a, const CLADPY_HALF &b) : x(a), y(b) {}
  __host__ __device__ CLADPY_PAIR(const CLADPY_RAW_PAIR &bits) : x(CLADPY_RAW{bits.x}), y(CLADPY_RAW{bits.y}) {}
  __host__ __device__ operator CLADPY_RAW_PAIR() const {
    return CLADPY_RAW_PAIR{static_cast<CLADPY_RAW>(x).x, static_cast<CLADPY_RAW>(y).x};
  }
};

CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(make_, CLADPY_TOKEN, 2, )(const CLADPY_HALF x, const CLADPY_HALF y) {
  return CLADPY_PAIR(x, y);
}
CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(__halves2, CLADPY_TOKEN, 2, )(const CLADPY_HALF a, const CLADPY_HALF b) {
  return CLADPY_PAIR(a, b);
}
CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(__, CLADPY_TOKEN, 2, CLADPY_PAIR_TOKEN)(const CLADPY_HALF a) {
  return CLADPY_PAIR(a, a);
}
CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(__float2, CLADPY_TOKEN, 2_rn, )(const float a) {
  return CLADPY_PAIR(CLADPY_TO(float, _rn)(a), CLADPY_TO(float, _rn)(a));
}
CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(__floats2, CLADPY_TOKEN, 2_rn, )(const float a, const float b) {
  return CLADPY_PAIR(CLADPY_TO(float, _rn)(a), CLADPY_TO(float, _rn)(b));
}
CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(__float22, CLADPY_TOKEN, 2_rn, )(const float2 a) {
  return CLADPY_PAIR(CLADPY_TO(float, _rn)(a.x), CLADPY_TO(float, _rn)(a.y));
}
CLADPY_HALF_API float2 CLADPY_JOIN(__, CLADPY_TOKEN, 22float2, )(const CLADPY_PAIR a) {
  float2 result;
  result.x = CLADPY_WIDE(a.x);
  result.y = CLADPY_WIDE(a.y);
  return result;
}
CLADPY_HALF_API float __low2float(const CLADPY_PAIR a) { return CLADPY_WIDE(a.x); }
CLADPY_HALF_API float __high2float(const CLADPY_PAIR a) { return CLADPY_WIDE(a.y); }
CLADPY_HALF_API CLADPY_HALF CLADPY_JOIN(__low2, CLADPY_TOKEN, , )(const CLADPY_PAIR a) { return a.x; }
CLADPY_HALF_API CLADPY_HALF CLADPY_JOIN(__high2, CLADPY_TOKEN, , )(const CLADPY_PAIR a) { return a.y; }
CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(__low2, CLADPY_TOKEN, 2, )(const CLADPY_PAIR a) { return CLADPY_PAIR(a.x, a.x); }
CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(__high2, CLADPY_TOKEN, 2, )(const CLADPY_PAIR a) {
  return CLADPY_PAIR(a.y, a.y);
}
CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(__lows2, CLADPY_TOKEN, 2, )(const CLADPY_PAIR a, const CLADPY_PAIR b) {
  return CLADPY_PAIR(a.x, b.x);
}
CLADPY_HALF_API CLADPY_PAIR CLADPY_JOIN(__highs2, CLADPY_TOKEN, 2, )(const CLADPY_PAIR a, const CLADPY_PAIR b) {
  return CLADPY_PAIR(a.y, b.y);
}
CLADPY_HALF_API CLADPY_PAIR __lowhigh2highlow(const CLADPY_PAIR a) { return CLADPY_PAIR(a.y, a.x); }

#define CLADPY_ONE(pairs, numbers)                                                                                     \
  CLADPY_HALF_API CLADPY_PAIR pairs(const CLADPY_PAIR a) { return CLADPY_PAIR(numbers(a.x), numbers(a.y)); }
#define CLADPY_TWO(pairs, numbers)                                                                                     \
  CLADPY_HALF_API CLADPY_PAIR pairs(const CLADPY_PAIR a, const CLADPY_PAIR b) {                                        \
    return CLADPY_PAIR(numbers(a.x, b.x), numbers(a.y, b.y));                                                          \
  }
#define CLADPY_THREE(pairs, numbers)                                                                                   \
  CLADPY_HALF_API CLADPY_PAIR pairs(const CLADPY_PAIR a, const CLADPY_PAIR b, const CLADPY_PAIR c) {                   \
    return CLADPY_PAIR(numbers(a.x, b.x, c.x), numbers(a.y, b.y, c.y));                                                \
  }
CLADPY_TWO(__hadd2, __hadd)
CLADPY_TWO(__hsub2, __hsub)
CLADPY_TWO(__hmul2, __hmul)
CLADPY_TWO(__hadd2_rn, __hadd_rn)
CLADPY_TWO(__hsub2_rn, __hsub_rn)
CLADPY_TWO(__hmul2_rn, __hmul_rn)
CLADPY_TWO(__h2div, __hdiv)
CLADPY_TWO(__hadd2_sat, __hadd_sat)
CLADPY_TWO(__hsub2_sat, __hsub_sat)
CLADPY_TWO(__hmul2_sat, __hmul_sat)
CLADPY_TWO(__hmax2, __hmax)
CLADPY_TWO(__hmin2, __hmin)
CLADPY_TWO(__hmax2_nan, __hmax_nan)
CLADPY_TWO(__hmin2_nan, __hmin_nan)
CLADPY_THREE(__hfma2, __hfma)
CLADPY_THREE(__hfma2_sat, __hfma_sat)
CLADPY_THREE(__hfma2_relu, __hfma_relu)
CLADPY_ONE(__hneg2, __hneg)
CLADPY_ONE(__habs2, __habs)
CLADPY_ONE(h2trunc, htrunc)
CLADPY_ONE(h2ceil, hceil)
CLADPY_ONE(h2floor, hfloor)
CLADPY_ONE(h2rint, hrint)
CLADPY_ONE(h2sqrt, hsqrt)
CLADPY_ONE(h2rsqrt, hrsqrt)
CLADPY_ONE(h2rcp, hrcp)
CLADPY_ONE(h2log, hlog)
CLADPY_ONE(h2log2, hlog2)
CLADPY_ONE(h2log10, hlog10)
CLADPY_ONE(h2exp, hexp)
CLADPY_ONE(h2exp2, hexp2)
CLADPY_ONE(h2exp10, hexp10)
CLADPY_ONE(h2tanh, htanh)
CLADPY_ONE(h2tanh_approx, htanh_approx)
CLADPY_ONE(h2sin, hsin)
CLADPY_ONE(h2cos, hcos)
#undef CLADPY_ONE
#undef CLADPY_TWO
#undef CLADPY_THREE

// a * b + c of complex numbers, the four multiply-adds in the order of CUDA's
CLADPY_HALF_API CLADPY_PAIR __hcmadd(const CLADPY_PAIR a, const CLADPY_PAIR b, const CLADPY_PAIR c) {
  const CLADPY_HALF real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
  return CLADPY_PAIR(__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary));
}

#define CLADPY_COMPARISON(name)                                                                                        \
  CLADPY_HALF_API CLADPY_PAIR __h##name##2(const CLADPY_PAIR a, const CLADPY_PAIR b) {                                 \
    return CLADPY_PAIR(CLADPY_TO(int, _rn)(__h##name(a.x, b.x)), CLADPY_TO(int, _rn)(__h##name(a.y, b.y)));            \
  }                                                                                                                    \
  CLADPY_HALF_API unsigned int __h##name##2_mask(const CLADPY_PAIR a, const CLADPY_PAIR b) {                           \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                            \
  }                                                                                                                    \
  CLADPY_HALF_API bool __hb##name##2(const CLADPY_PAIR a, const CLADPY_PAIR b) {                                       \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                                 \
  }
CLADPY_COMPARISON(eq)
CLADPY_COMPARISON(ne)
CLADPY_COMPARISON(le)
CLADPY_COMPARISON(ge)
CLADPY_COMPARISON(lt)
CLADPY_COMPARISON(gt)
CLADPY_COMPARISON(equ)
CLADPY_COMPARISON(neu)
CLADPY_COMPARISON(leu)
CLADPY_COMPARISON(geu)
CLADPY_COMPARISON(ltu)
CLADPY_COMPARISON(gtu)
#undef CLADPY_COMPARISON
CLADPY_HALF_API CLADPY_PAIR __hisnan2(const CLADPY_PAIR a) {
  return CLADPY_PAIR(CLADPY_TO(int, _rn)(__hisnan(a.x)), CLADPY_TO(int, _rn)(__hisnan(a.y)));
}

// ---- operators --------------------------------------------------------------------------------------------------------

#if !defined(CLADPY_NO_OPERATORS)
#define CLADPY_OPERATOR(op, numbers, pairs)                                                                            \
  CLADPY_HALF_API CLADPY_HALF operator op(const CLADPY_HALF &a, const CLADPY_HALF &b) { return numbers(a, b); }        \
  CLADPY_HALF_API CLADPY_HALF &operator op##=(CLADPY_HALF &a, const CLADPY_HALF &b) {                                  \
    a = numbers(a, b);                                                                                                 \
    return a;                                                                                                          \
  }                                                                                                                    \
  CLADPY_HALF_API CLADPY_PAIR operator op(const CLADPY_PAIR &a, const CLADPY_PAIR &b) { return pairs(a, b); }          \
  CLADPY_HALF_API CLADPY_PAIR &operator op##=(CLADPY_PAIR &a, const CLADPY_PAIR &b) {                                  \
    a = pairs(a, b);                                                                                                   \
    return a;                                                                                                          \
  }
CLADPY_OPERATOR(+, __hadd, __hadd2)
CLADPY_OPERATOR(-, __hsub, __hsub2)
CLADPY_OPERATOR(*, __hmul, __hmul2)
CLADPY_OPERATOR(/, __hdiv, __h2div)
#undef CLADPY_OPERATOR
#define CLADPY_STEP(op, numbers, pairs)                                                                                \
  CLADPY_HALF_API CLADPY_HALF &operator op(CLADPY_HALF &a) {                                                           \
    a = numbers(a, CLADPY_TO(int, _rn)(1));                                                                            \
    return a;                                                                                                          \
  }                                                                                                                    \
  CLADPY_HALF_API CLADPY_HALF operator op(CLADPY_HALF &a, const int) {                                                 \
    const CLADPY_HALF before = a;                                                                                      \
    a = numbers(a, CLADPY_TO(int, _rn)(1));                                                                            \
    return before;                                                                                                     \
  }                                                                                                                    \
  CLADPY_HALF_API CLADPY_PAIR &operator op(CLADPY_PAIR &a) {                                                           \
    a = pairs(a, CLADPY_JOIN(__float2, CLADPY_TOKEN, 2_rn, )(1.0f));                                                   \
    return a;                                                                                                          \
  }                                                                                                                    \
  CLADPY_HALF_API CLADPY_PAIR operator op(CLADPY_PAIR &a, const int) {                                                 \
    const CLADPY_PAIR before = a;                                                                                      \
    a = pairs(a, CLADPY_JOIN(__float2, CLADPY_TOKEN, 2_rn, )(1.0f));                                                   \
    return before;                                                                                                     \
  }
CLADPY_STEP(++, __hadd, __hadd2)
CLADPY_STEP(--, __hsub, __hsub2)
#undef CLADPY_STEP
CLADPY_HALF_API CLADPY_HALF operator+(const CLADPY_HALF &a) { return a; }
CLADPY_HALF_API CLADPY_HALF operator-(const CLADPY_HALF &a) { return __hneg(a); }
CLADPY_HALF_API CLADPY_PAIR operator+(const CLADPY_PAIR &a) { return a; }
CLADPY_HALF_API CLADPY_PAIR operator-(const CLADPY_PAIR &a) { return __hneg2(a); }
#define CLADPY_COMPARISON(op, numbers, pairs)                                                                          \
  CLADPY_HALF_API bool operator op(const CLADPY_HALF &a, const CLADPY_HALF &b) { return numbers(a, b); }               \
  CLADPY_HALF_API bool operator op(const CLADPY_PAIR &a, const CLADPY_PAIR &b) { return pairs(a, b); }
CLADPY_COMPARISON(==, __heq, __hbeq2)
CLADPY_COMPARISON(!=, __hneu, __hbneu2)
CLADPY_COMPARISON(>, __hgt, __hbgt2)
CLADPY_COMPARISON(<, __hlt, __hblt2)
CLADPY_COMPARISON(>=, __hge, __hbge2)
CLADPY_COMPARISON(<=, __hle, __hble2)
#undef CLADPY_COMPARISON
#endif

// ---- memory -----------------------------------------------------------------------------------------------------------

#if !defined(CLADPY_HOST_H) && !defined(CLADPY_HALF_HIP_H)
// On the host these are templates for all types.
#define CLADPY_LOADS(T)                                                                                                \
  __device__ T __ldg(const T *);                                                                                       \
  __device__ T __ldca(const T *);                                                                                      \
  __device__ T __ldcg(const T *);                                                                                      \
  __device__ T __ldcs(const T *);                                                                                      \
  __device__ T __ldlu(const T *);                                                                                      \
  __device__ T __ldcv(const T *);                                                                                      \
  __device__ void __stwb(T *, T);                                                                                      \
  __device__ void __stcg(T *, T);                                                                                      \
  __device__ void __stcs(T *, T);                                                                                      \
  __device__ void __stwt(T *, T);                                                                                      \
  __device__ T atomicAdd(T *, T);
CLADPY_LOADS(CLADPY_HALF)
CLADPY_LOADS(CLADPY_PAIR)
#undef CLADPY_LOADS

#define CLADPY_SHUFFLE(name, S)                                                                                        \
  __device__ CLADPY_HALF name(unsigned int, CLADPY_HALF, S, int = warpSize);                                           \
  __device__ inline CLADPY_PAIR name(unsigned int mask, CLADPY_PAIR pair, S source, int width = warpSize) {            \
    pair.x = name(mask, pair.x, source, width);                                                                        \
    pair.y = name(mask, pair.y, source, width);                                                                        \
    return pair;                                                                                                       \
  }
CLADPY_SHUFFLE(__shfl_sync, int)
CLADPY_SHUFFLE(__shfl_up_sync, unsigned int)
CLADPY_SHUFFLE(__shfl_down_sync, unsigned int)
CLADPY_SHUFFLE(__shfl_xor_sync, int)
#undef CLADPY_SHUFFLE
#endif

#undef CLADPY_JOIN_
#undef CLADPY_JOIN
#undef CLADPY_TO
#undef CLADPY_FROM
#undef CLADPY_HALF_API
#undef CLADPY_MATH
#undef CLADPY_OF_BITS
#undef CLADPY_ROUND
#undef CLADPY_WIDE
