// Helper functions of the derivative rules: what a partial needs beyond the functions of the CUDA math library.
//
// Included by every emitted file. CUDA and HIP compilers bring the math functions themselves; for a plain C++ compiler
// <cladpy/host.h> comes first.
#ifndef CLADPY_MATH_H
#define CLADPY_MATH_H

#include <math.h>  // in host code of HIP, where `::sinh` of a float is one of doubles else

namespace cladpy {

// HIP has no overload for floats, and none on the host.
#if defined(__HIP__) && !defined(__HIP_DEVICE_COMPILE__)
__host__ __device__ inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
__host__ __device__ inline float rsqrt(float x) { return 1.0f / ::sqrtf(x); }
#else
__host__ __device__ inline double rsqrt(double x) { return ::rsqrt(x); }
__host__ __device__ inline float rsqrt(float x) { return ::rsqrtf(x); }
#endif

template <class T> __host__ __device__ inline T sign(T x) { return T(x > T(0)) - T(x < T(0)); }

// 1 / cosh(x)^2, where `r` is tanh(x): without cancellation where that saturates, and without overflow.
template <class T> __host__ __device__ inline T tanh_dx(T x, T r) {
    const T difference = T(1) - r * r;
    if (difference > T(0.1)) return difference;
    const T e = ::exp(T(-2) * ::fabs(x));
    return T(4) * e / ((T(1) + e) * (T(1) + e));
}
#if defined(CLADPY_HOST_ELEMENTARY)
template <> inline float tanh_dx<float>(float x, float) {
    return host::elementary::tanhf_dx(x);
}
#if defined(CLADPY_HOST_STRAIGHT)
template <> inline double tanh_dx<double>(double x, double) {
    return host::elementary::tanh_dx(x);
}
#endif
#endif

// Derivative of atan2(x, y) by x, which is y / (x^2 + y^2); by y it is -atan2_dx(y, x). At the origin, where there is
// none, 0, as for a length.
template <class T> __host__ __device__ inline T atan2_dx(T x, T y) {
    const T h = ::hypot(x, y);
    return h == T(0) ? T(0) : y / h / h;
}

// pow(x, 0) is 1 for every x, so that its derivative by x is 0, at x = 0 too.
template <class T> __host__ __device__ inline T pow_dx(T x, T y) {
    return y == T(0) ? T(0) : y * ::pow(x, y - T(1));
}

// At x = 0 the limit from the right; at pow(0, 0), where there is none, 0. NaN for x < 0.
template <class T> __host__ __device__ inline T pow_dy(T x, T y, T r) {
    return x == T(0) && y >= T(0) ? T(0) : r * ::log(x);
}

// Derivative of the length r of a vector by its component x; at the origin 0, as for fabs.
template <class T> __host__ __device__ inline T norm_dx(T x, T r) { return r == T(0) ? T(0) : x / r; }

// Derivative of the reciprocal length r by the component x.
template <class T> __host__ __device__ inline T rnorm_dx(T x, T r) { return -(x * r) * r * r; }

// What the first of two numbers gets of the adjoint of one of them that is chosen by comparing both: all or nothing, and
// half where they are equal.
template <class T> __host__ __device__ inline T share(bool first) { return T(first); }
template <class T> __host__ __device__ inline T share(bool first, T x, T y) { return x == y ? T(0.5) : T(first); }
// The same where more decides: of equal numbers the first would be taken, were it a little larger, or a little smaller.
template <class T> __host__ __device__ inline T share(bool first, bool larger, bool smaller, T x, T y) {
    return x == y ? T(0.5) * (T(larger) + T(smaller)) : T(first);
}
// The same of numbers that stand for several equal ones each.
template <class T> __host__ __device__ inline T part(bool first, T x, T y, T of_x, T of_y) {
    return x == y ? of_x / (of_x + of_y) : T(first);
}

// fmax returns the other operand where one is NaN.
template <class T> __host__ __device__ inline T fmax_dx(T x, T y) { return share(x > y || y != y, x, y); }
template <class T> __host__ __device__ inline T fmin_dx(T x, T y) { return share(x < y || y != y, x, y); }
template <class T> __host__ __device__ inline T fdim_dx(T x, T y) { return share(x > y, x, y); }

// Of a number that is clamped to [0, 1].
template <class T> __host__ __device__ inline T saturate_dx(T x) {
    return x == T(0) || x == T(1) ? T(0.5) : T(x > T(0) && x < T(1));
}

template <class T> __host__ __device__ inline T copysign_dx(T x, T y) { return sign(x) * ::copysign(T(1), y); }

// What modf and frexp return, and what they and remquo store, as functions of values.
template <class T> __host__ __device__ inline T modf_fraction(T x) {
    T whole;
    return ::modf(x, &whole);
}
template <class T> __host__ __device__ inline T frexp_fraction(T x) {
    int exponent;
    return ::frexp(x, &exponent);
}
template <class T> __host__ __device__ inline int frexp_exponent(T x) {
    int exponent;
    static_cast<void>(::frexp(x, &exponent));
    return exponent;
}
template <class T> __host__ __device__ inline T frexp_fraction_dx(T x) { return ::ldexp(T(1), -frexp_exponent(x)); }
template <class T> __host__ __device__ inline int remquo_quotient(T x, T y) {
    int quotient;
    static_cast<void>(::remquo(x, y, &quotient));
    return quotient;
}

// How many numbers `norm(count, p)` and its like look at: those of CUDA begin with the first, whatever the count is.
__host__ __device__ inline int norm_count(int count) {
#if defined(__HIP__) && !defined(CLADPY_HOST_H)
    return count;
#else
    return count < 1 ? 1 : count;
#endif
}

// The power of two by which the largest of their absolute values is multiplied for squares that neither overflow nor
// vanish.
template <class T> __host__ __device__ inline T norm_unit(T largest) {
    if (!(largest > T(0)) || largest - largest != T(0)) return T(1);
    const int most = sizeof(T) == 4 ? 126 : 1022, exponent = -::ilogb(largest);
    return ::ldexp(T(1), exponent > most ? most : exponent);
}
// The root of a sum of such squares, a length, whose derivative at the origin is zero.
__host__ __device__ inline double norm_root(double squares) { return ::sqrt(squares); }
__host__ __device__ inline float norm_rootf(float squares) { return ::sqrtf(squares); }
template <class T> __host__ __device__ inline T norm_root_dx(T r) { return r == T(0) ? T(0) : T(0.5) / r; }

// Whether the first operand is the maximum or minimum of two: of numbers, and of the halves of two words.
template <class T> __host__ __device__ inline bool at_least(T x, T y) { return x >= y; }
template <class T> __host__ __device__ inline bool at_most(T x, T y) { return x <= y; }
#define CLADPY_HALVES(Half, name, shift)                                                                               \
    template <class T> __host__ __device__ inline bool name##_at_least(T x, T y) {                                     \
        return static_cast<Half>(x >> shift) >= static_cast<Half>(y >> shift);                                         \
    }                                                                                                                  \
    template <class T> __host__ __device__ inline bool name##_at_most(T x, T y) {                                      \
        return static_cast<Half>(x >> shift) <= static_cast<Half>(y >> shift);                                         \
    }
CLADPY_HALVES(short, high_s16, 16)
CLADPY_HALVES(short, low_s16, 0)
CLADPY_HALVES(unsigned short, high_u16, 16)
CLADPY_HALVES(unsigned short, low_u16, 0)
#undef CLADPY_HALVES

// The digamma function: derivative of lgamma. NaN at its poles 0, -1, -2, ...
__host__ __device__ inline double digamma(double x) {
    double result = 0.0;
    if (x <= 0.0) {
        if (x == ::floor(x)) return ::nan("");
        // reflection: the cotangent has a period of one, and what is left of `x` is exact near the poles
        const double pi = 3.14159265358979323846;
        result = -pi / ::tan(pi * (x - ::rint(x)));
        x = 1.0 - x;
    }
    while (x < 10.0) {
        result -= 1.0 / x;
        x += 1.0;
    }
    // asymptotic series with Bernoulli numbers, to 1e-17 from 10 on
    const double s = 1.0 / (x * x);
    const double series =
        s * (1.0 / 12.0 -
             s * (1.0 / 120.0 -
                  s * (1.0 / 252.0 -
                       s * (1.0 / 240.0 - s * (1.0 / 132.0 - s * (691.0 / 32760.0 - s * (1.0 / 12.0)))))));
    return result + (::log(x) - 0.5 / x - series);
}
// In double: near its zero the float sum would have no correct digit.
__host__ __device__ inline float digamma(float x) { return float(digamma(double(x))); }

// Derivative of erfcx: 2 x erfcx(x) - 2/sqrt(pi). The two cancel for large x; an asymptotic series takes over there.
__host__ __device__ inline double erfcx_dx(double x) {
    if (x < 10.0) return 2.0 * x * ::erfcx(x) - 1.12837916709551257390;
    const double s = 0.5 / (x * x);
    // sum of (-1)^n (2n+1)!! s^n = 1 - 3 s (1 - 5 s (1 - 7 s (...)))
    double sum = 1.0;
    for (int k = 29; k >= 3; k -= 2) sum = 1.0 - k * s * sum;
    return -0.56418958354775628695 / x / x * sum;
}
__host__ __device__ inline float erfcx_dx(float x) { return float(erfcx_dx(double(x))); }

// Derivatives of the Bessel functions.
template <class T> __host__ __device__ inline T j1_dx(T x, T r) { return x == T(0) ? T(0.5) : ::j0(x) - r / x; }
template <class T> __host__ __device__ inline T jn_dx(int n, T x) {
    return n == 0 ? -::j1(x) : T(0.5) * (::jn(n - 1, x) - ::jn(n + 1, x));
}
template <class T> __host__ __device__ inline T yn_dx(int n, T x) {
    return n == 0 ? -::y1(x) : T(0.5) * (::yn(n - 1, x) - ::yn(n + 1, x));
}

}  // namespace cladpy

#endif
