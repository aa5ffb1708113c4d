// The part of the CUDA math API that <cmath> lacks, in the global namespace. Part of <cladpy/host.h>.
//
// <math.h> of the C++ library has already put sin(float), abs(double), isnan and so on there.
#ifndef CLADPY_HOST_MATH_H
#define CLADPY_HOST_MATH_H

// Newer C libraries declare some of these names (sinpi, rsqrt); the same linkage and exception specification lets a
// definition follow such a declaration.
#if defined(__THROW)
#define CLADPY_HOST_NOTHROW __THROW
#else
#define CLADPY_HOST_NOTHROW noexcept
#endif

#define CLADPY_HOST_UNARY(name, expression)                                                                            \
  extern "C" inline double name(double x) CLADPY_HOST_NOTHROW { return expression; }                                   \
  extern "C" inline float name##f(float single) CLADPY_HOST_NOTHROW {                                                  \
    const double x = single;                                                                                           \
    return static_cast<float>(expression);                                                                             \
  }                                                                                                                    \
  inline float name(float x) { return name##f(x); }

CLADPY_HOST_UNARY(rsqrt, 1.0 / std::sqrt(x))
CLADPY_HOST_UNARY(rcbrt, 1.0 / std::cbrt(x))
CLADPY_HOST_UNARY(sinpi, cladpy::host::special::sinpi(x))
CLADPY_HOST_UNARY(cospi, cladpy::host::special::cospi(x))
CLADPY_HOST_UNARY(erfcx, cladpy::host::special::erfcx(x))
CLADPY_HOST_UNARY(erfinv, cladpy::host::special::erfinv(x))
CLADPY_HOST_UNARY(erfcinv, cladpy::host::special::erfcinv(x))
CLADPY_HOST_UNARY(normcdf, cladpy::host::special::normcdf(x))
CLADPY_HOST_UNARY(normcdfinv, cladpy::host::special::normcdfinv(x))
CLADPY_HOST_UNARY(cyl_bessel_i0, cladpy::host::special::bessel_i(0, x))
CLADPY_HOST_UNARY(cyl_bessel_i1, cladpy::host::special::bessel_i(1, x))
#undef CLADPY_HOST_UNARY

#if !(defined(__GLIBC__) && defined(__USE_GNU))
extern "C" inline double exp10(double x) CLADPY_HOST_NOTHROW { return std::pow(10.0, x); }
extern "C" inline float exp10f(float x) CLADPY_HOST_NOTHROW { return static_cast<float>(std::pow(10.0, double(x))); }
extern "C" inline void sincos(double x, double *sine, double *cosine) CLADPY_HOST_NOTHROW {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}
extern "C" inline void sincosf(float x, float *sine, float *cosine) CLADPY_HOST_NOTHROW {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}
#endif
inline float exp10(float x) { return exp10f(x); }
inline void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
inline void sincospi(double x, double *sine, double *cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospif(float x, float *sine, float *cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
inline void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }

inline float j0(float x) { return j0f(x); }
inline float j1(float x) { return j1f(x); }
inline float jn(int n, float x) { return jnf(n, x); }
inline float y0(float x) { return y0f(x); }
inline float y1(float x) { return y1f(x); }
inline float yn(int n, float x) { return ynf(n, x); }

inline double norm(int count, const double *x) { return cladpy::host::special::norm(count, x); }
inline float normf(int count, const float *x) { return cladpy::host::special::norm(count, x); }
inline float norm(int count, const float *x) { return normf(count, x); }
inline double rnorm(int count, const double *x) { return 1.0 / norm(count, x); }
inline float rnormf(int count, const float *x) { return 1.0f / normf(count, x); }
inline float rnorm(int count, const float *x) { return rnormf(count, x); }

inline double rhypot(double x, double y) { return 1.0 / std::hypot(x, y); }
inline float rhypotf(float x, float y) { return 1.0f / std::hypot(x, y); }
inline float rhypot(float x, float y) { return rhypotf(x, y); }
inline double norm3d(double a, double b, double c) {
  const double x[] = {a, b, c};
  return norm(3, x);
}
inline float norm3df(float a, float b, float c) {
  const float x[] = {a, b, c};
  return norm(3, x);
}
inline float norm3d(float a, float b, float c) { return norm3df(a, b, c); }
inline double norm4d(double a, double b, double c, double d) {
  const double x[] = {a, b, c, d};
  return norm(4, x);
}
inline float norm4df(float a, float b, float c, float d) {
  const float x[] = {a, b, c, d};
  return norm(4, x);
}
inline float norm4d(float a, float b, float c, float d) { return norm4df(a, b, c, d); }
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
inline float rnorm3d(float a, float b, float c) { return rnorm3df(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
inline float rnorm4df(float a, float b, float c, float d) { return 1.0f / norm4df(a, b, c, d); }
inline float rnorm4d(float a, float b, float c, float d) { return rnorm4df(a, b, c, d); }

inline double fdivide(double x, double y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline float fdivide(float x, float y) { return fdividef(x, y); }

// The quick forms, here as accurate as the others.
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __tanf(float x) { return std::tan(x); }
inline float __tanhf(float x) { return std::tanh(x); }
inline void __sincosf(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
inline float __expf(float x) { return std::exp(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return std::log(x); }
inline float __log2f(float x) { return std::log2(x); }
inline float __log10f(float x) { return std::log10(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
// NaN becomes 0.
inline float __saturatef(float x) { return x >= 0.0f ? (x <= 1.0f ? x : 1.0f) : 0.0f; }

// min and max: exactly CUDA's overloads, so that a call is resolved, or ambiguous, as under nvcc.
#define CLADPY_HOST_MIN_MAX(R, A, B)                                                                                   \
  inline R min(const A a, const B b) {                                                                                 \
    const R x = static_cast<R>(a), y = static_cast<R>(b);                                                              \
    return y < x ? y : x;                                                                                              \
  }                                                                                                                    \
  inline R max(const A a, const B b) {                                                                                 \
    const R x = static_cast<R>(a), y = static_cast<R>(b);                                                              \
    return x < y ? y : x;                                                                                              \
  }
CLADPY_HOST_MIN_MAX(int, int, int)
CLADPY_HOST_MIN_MAX(unsigned int, unsigned int, unsigned int)
CLADPY_HOST_MIN_MAX(unsigned int, int, unsigned int)
CLADPY_HOST_MIN_MAX(unsigned int, unsigned int, int)
CLADPY_HOST_MIN_MAX(long, long, long)
CLADPY_HOST_MIN_MAX(unsigned long, unsigned long, unsigned long)
CLADPY_HOST_MIN_MAX(unsigned long, long, unsigned long)
CLADPY_HOST_MIN_MAX(unsigned long, unsigned long, long)
CLADPY_HOST_MIN_MAX(long long, long long, long long)
CLADPY_HOST_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CLADPY_HOST_MIN_MAX(unsigned long long, long long, unsigned long long)
CLADPY_HOST_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef CLADPY_HOST_MIN_MAX
inline float min(const float a, const float b) { return std::fmin(a, b); }
inline double min(const double a, const double b) { return std::fmin(a, b); }
inline double min(const float a, const double b) { return std::fmin(static_cast<double>(a), b); }
inline double min(const double a, const float b) { return std::fmin(a, static_cast<double>(b)); }
inline float max(const float a, const float b) { return std::fmax(a, b); }
inline double max(const double a, const double b) { return std::fmax(a, b); }
inline double max(const float a, const double b) { return std::fmax(static_cast<double>(a), b); }
inline double max(const double a, const float b) { return std::fmax(a, static_cast<double>(b)); }

inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
inline long long int llmin(long long int a, long long int b) { return min(a, b); }
inline long long int llmax(long long int a, long long int b) { return max(a, b); }
inline unsigned long long int ullmin(unsigned long long int a, unsigned long long int b) { return min(a, b); }
inline unsigned long long int ullmax(unsigned long long int a, unsigned long long int b) { return max(a, b); }

#undef CLADPY_HOST_NOTHROW

#endif
