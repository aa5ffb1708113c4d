// Arithmetic and conversions with a rounding mode in the name. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_ROUNDING_H
#define CLADPY_HOST_ROUNDING_H

namespace cladpy {
namespace host {

// Sets the rounding mode for a scope. Operands pass through volatile variables, since the compiler takes the mode to be
// the default.
class Rounding {
public:
  explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(before_); }
  Rounding(const Rounding &) = delete;
  Rounding &operator=(const Rounding &) = delete;

private:
  int before_;
};

// A floating value, already rounded to an integer, as an integer type: out of range saturates; NaN gives 0 between
// 32-bit types and else the value with only the top bit set.
template <class I, class F> I saturate_to(F x) {
  using limits = std::numeric_limits<I>;
  if (std::isnan(x)) {
    if (sizeof(F) == 4 && sizeof(I) == 4) return 0;
    return static_cast<I>(std::make_unsigned_t<I>(1) << (8 * sizeof(I) - 1));
  }
  const F end = std::scalbn(F(1), limits::digits); // one past the largest
  if (x >= end) return limits::max();
  if (x < (limits::is_signed ? -end : F(0))) return limits::min();
  return static_cast<I>(x);
}

} // namespace host
} // namespace cladpy

#define CLADPY_HOST_ROUNDED(name, mode, T, parameters, store, expression)                                              \
  inline T name parameters {                                                                                           \
    const cladpy::host::Rounding rounding(mode);                                                                       \
    store;                                                                                                             \
    volatile T result = expression;                                                                                    \
    return result;                                                                                                     \
  }
#define CLADPY_HOST_MODE(prefix, suffix, mode, T)                                                                      \
  CLADPY_HOST_ROUNDED(__##prefix##add_##suffix, mode, T, (T x, T y), volatile T a = x; volatile T b = y, a + b)        \
  CLADPY_HOST_ROUNDED(__##prefix##sub_##suffix, mode, T, (T x, T y), volatile T a = x; volatile T b = y, a - b)        \
  CLADPY_HOST_ROUNDED(__##prefix##mul_##suffix, mode, T, (T x, T y), volatile T a = x; volatile T b = y, a *b)         \
  CLADPY_HOST_ROUNDED(__##prefix##div_##suffix, mode, T, (T x, T y), volatile T a = x; volatile T b = y, a / b)        \
  CLADPY_HOST_ROUNDED(__##prefix##rcp_##suffix, mode, T, (T x), volatile T a = x, T(1) / a)                            \
  CLADPY_HOST_ROUNDED(__##prefix##sqrt_##suffix, mode, T, (T x), volatile T a = x, std::sqrt(static_cast<T>(a)))
#define CLADPY_HOST_MODES(suffix, mode)                                                                                \
  CLADPY_HOST_MODE(f, suffix, mode, float)                                                                             \
  CLADPY_HOST_MODE(d, suffix, mode, double)                                                                            \
  CLADPY_HOST_ROUNDED(__fmaf_##suffix, mode, float, (float x, float y, float z), volatile float a = x,                 \
                      std::fma(static_cast<float>(a), y, z))                                                           \
  CLADPY_HOST_ROUNDED(__fma_##suffix, mode, double, (double x, double y, double z), volatile double a = x,             \
                      std::fma(static_cast<double>(a), y, z))                                                          \
  CLADPY_HOST_ROUNDED(__double2float_##suffix, mode, float, (double x), volatile double a = x, static_cast<float>(a))  \
  CLADPY_HOST_ROUNDED(__int2float_##suffix, mode, float, (int x), volatile int a = x, static_cast<float>(a))           \
  CLADPY_HOST_ROUNDED(__uint2float_##suffix, mode, float, (unsigned int x), volatile unsigned a = x,                   \
                      static_cast<float>(a))                                                                           \
  CLADPY_HOST_ROUNDED(__ll2float_##suffix, mode, float, (long long int x), volatile long long a = x,                   \
                      static_cast<float>(a))                                                                           \
  CLADPY_HOST_ROUNDED(__ll2double_##suffix, mode, double, (long long int x), volatile long long a = x,                 \
                      static_cast<double>(a))                                                                          \
  CLADPY_HOST_ROUNDED(__ull2float_##suffix, mode, float, (unsigned long long int x), volatile unsigned long long a = x,\
                      static_cast<float>(a))                                                                           \
  CLADPY_HOST_ROUNDED(__ull2double_##suffix, mode, double, (unsigned long long int x),                                 \
                      volatile unsigned long long a = x, static_cast<double>(a))
CLADPY_HOST_MODES(rn, FE_TONEAREST)
CLADPY_HOST_MODES(rz, FE_TOWARDZERO)
CLADPY_HOST_MODES(ru, FE_UPWARD)
CLADPY_HOST_MODES(rd, FE_DOWNWARD)
#undef CLADPY_HOST_MODES
#undef CLADPY_HOST_MODE
#undef CLADPY_HOST_ROUNDED

inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned int x) { return x; }

#define CLADPY_HOST_TO_INTEGER(source, target, F, I)                                                                   \
  inline I __##source##2##target##_rn(F x) { return cladpy::host::saturate_to<I>(std::nearbyint(x)); }                 \
  inline I __##source##2##target##_rz(F x) { return cladpy::host::saturate_to<I>(std::trunc(x)); }                     \
  inline I __##source##2##target##_ru(F x) { return cladpy::host::saturate_to<I>(std::ceil(x)); }                      \
  inline I __##source##2##target##_rd(F x) { return cladpy::host::saturate_to<I>(std::floor(x)); }
CLADPY_HOST_TO_INTEGER(float, int, float, int)
CLADPY_HOST_TO_INTEGER(float, uint, float, unsigned int)
CLADPY_HOST_TO_INTEGER(float, ll, float, long long int)
CLADPY_HOST_TO_INTEGER(float, ull, float, unsigned long long int)
CLADPY_HOST_TO_INTEGER(double, int, double, int)
CLADPY_HOST_TO_INTEGER(double, uint, double, unsigned int)
CLADPY_HOST_TO_INTEGER(double, ll, double, long long int)
CLADPY_HOST_TO_INTEGER(double, ull, double, unsigned long long int)
#undef CLADPY_HOST_TO_INTEGER

// These differ from the others on devices alone, where a compiler option may flush subnormal numbers to zero.
#define CLADPY_HOST_IEEE(mode)                                                                                         \
  inline float __fmaf_ieee_##mode(float x, float y, float z) { return __fmaf_##mode(x, y, z); }
CLADPY_HOST_IEEE(rn)
CLADPY_HOST_IEEE(rz)
CLADPY_HOST_IEEE(ru)
CLADPY_HOST_IEEE(rd)
#undef CLADPY_HOST_IEEE

// Two floats at a time.
#define CLADPY_HOST_PAIRS(mode)                                                                                        \
  inline float2 __fadd2_##mode(float2 x, float2 y) { return {__fadd_##mode(x.x, y.x), __fadd_##mode(x.y, y.y)}; }      \
  inline float2 __fmul2_##mode(float2 x, float2 y) { return {__fmul_##mode(x.x, y.x), __fmul_##mode(x.y, y.y)}; }      \
  inline float2 __ffma2_##mode(float2 x, float2 y, float2 z) {                                                         \
    return {__fmaf_##mode(x.x, y.x, z.x), __fmaf_##mode(x.y, y.y, z.y)};                                               \
  }
CLADPY_HOST_PAIRS(rn)
CLADPY_HOST_PAIRS(rz)
CLADPY_HOST_PAIRS(ru)
CLADPY_HOST_PAIRS(rd)
#undef CLADPY_HOST_PAIRS

#endif
