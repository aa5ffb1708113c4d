// thrust::complex in terms of real functions: what cladpy reads where a program includes Thrust's header, whose own functions
// take numbers apart by their bits, and what the host backend runs. nvcc compiles Thrust's.
#ifndef CLADPY_THRUST_COMPLEX_H
#define CLADPY_THRUST_COMPLEX_H

#include <cmath>
#include <complex>
#include <type_traits>

#define CLADPY_COMPLEX_API __host__ __device__ inline

namespace thrust {

template <class T>
struct complex {
  using value_type = T;

  complex() = default;
  complex(const complex &) = default;
  __host__ __device__ complex(const T &re) : data{re, T()} {}
  __host__ __device__ complex(const T &re, const T &im) : data{re, im} {}
  template <class U>
  __host__ __device__ complex(const complex<U> &z) : data{T(z.real()), T(z.imag())} {}
  template <class U>
  __host__ complex(const std::complex<U> &z) : data{T(z.real()), T(z.imag())} {}

  complex &operator=(const complex &) = default;
  __host__ __device__ complex &operator=(const T &re) {
    data.x = re;
    data.y = T();
    return *this;
  }
  template <class U>
  __host__ __device__ complex &operator=(const complex<U> &z) {
    data.x = T(z.real());
    data.y = T(z.imag());
    return *this;
  }
  template <class U>
  __host__ complex &operator=(const std::complex<U> &z) {
    data.x = T(z.real());
    data.y = T(z.imag());
    return *this;
  }

  template <class U>
  __host__ __device__ complex &operator+=(const complex<U> &z) {
    return *this = *this + z;
  }
  template <class U>
  __host__ __device__ complex &operator-=(const complex<U> &z) {
    return *this = *this - z;
  }
  template <class U>
  __host__ __device__ complex &operator*=(const complex<U> &z) {
    return *this = *this * z;
  }
  template <class U>
  __host__ __device__ complex &operator/=(const complex<U> &z) {
    return *this = *this / z;
  }
  template <class U>
  __host__ __device__ complex &operator+=(const U &z) {
    return *this = *this + z;
  }
  template <class U>
  __host__ __device__ complex &operator-=(const U &z) {
    return *this = *this - z;
  }
  template <class U>
  __host__ __device__ complex &operator*=(const U &z) {
    return *this = *this * z;
  }
  template <class U>
  __host__ __device__ complex &operator/=(const U &z) {
    return *this = *this / z;
  }

  __host__ __device__ T real() const { return data.x; }
  __host__ __device__ T imag() const { return data.y; }
  __host__ __device__ void real(T re) { data.x = re; }
  __host__ __device__ void imag(T im) { data.y = im; }

  __host__ operator std::complex<T>() const { return std::complex<T>(real(), imag()); }

 private:
  struct alignas(sizeof(T) * 2) storage {
    T x;
    T y;
  };
  storage data;
};

template <class T0, class T1>
using complex_of = complex<std::common_type_t<T0, T1>>;

// ---- arithmetic -------------------------------------------------------------------------------------------------------

template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator+(const complex<T0> &a, const complex<T1> &b) {
  return complex_of<T0, T1>(a.real() + b.real(), a.imag() + b.imag());
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator+(const complex<T0> &a, const T1 &b) {
  return complex_of<T0, T1>(a.real() + b, a.imag());
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator+(const T0 &a, const complex<T1> &b) {
  return complex_of<T0, T1>(a + b.real(), b.imag());
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator-(const complex<T0> &a, const complex<T1> &b) {
  return complex_of<T0, T1>(a.real() - b.real(), a.imag() - b.imag());
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator-(const complex<T0> &a, const T1 &b) {
  return complex_of<T0, T1>(a.real() - b, a.imag());
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator-(const T0 &a, const complex<T1> &b) {
  return complex_of<T0, T1>(a - b.real(), -b.imag());
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator*(const complex<T0> &a, const complex<T1> &b) {
  return complex_of<T0, T1>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator*(const complex<T0> &a, const T1 &b) {
  return complex_of<T0, T1>(a.real() * b, a.imag() * b);
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator*(const T0 &a, const complex<T1> &b) {
  return complex_of<T0, T1>(a * b.real(), a * b.imag());
}
// The divisor is scaled, lest its square overflows.
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator/(const complex<T0> &a, const complex<T1> &b) {
  using T = std::common_type_t<T0, T1>;
  const T scale = T(1) / (std::abs(T(b.real())) + std::abs(T(b.imag())));
  const T ax = T(a.real()) * scale, ay = T(a.imag()) * scale, bx = T(b.real()) * scale, by = T(b.imag()) * scale;
  const T inverse = T(1) / (bx * bx + by * by);
  return complex<T>((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator/(const complex<T0> &a, const T1 &b) {
  return complex_of<T0, T1>(a.real() / b, a.imag() / b);
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> operator/(const T0 &a, const complex<T1> &b) {
  return complex<T0>(a) / b;
}
template <class T>
CLADPY_COMPLEX_API complex<T> operator+(const complex<T> &z) {
  return z;
}
template <class T>
CLADPY_COMPLEX_API complex<T> operator-(const complex<T> &z) {
  return complex<T>(-z.real(), -z.imag());
}

template <class T0, class T1>
CLADPY_COMPLEX_API bool operator==(const complex<T0> &a, const complex<T1> &b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <class T0, class T1>
CLADPY_COMPLEX_API bool operator==(const complex<T0> &a, const T1 &b) {
  return a.real() == b && a.imag() == T0();
}
template <class T0, class T1>
CLADPY_COMPLEX_API bool operator==(const T0 &a, const complex<T1> &b) {
  return b == a;
}
template <class T0, class T1>
CLADPY_COMPLEX_API bool operator!=(const complex<T0> &a, const complex<T1> &b) {
  return !(a == b);
}
template <class T0, class T1>
CLADPY_COMPLEX_API bool operator!=(const complex<T0> &a, const T1 &b) {
  return !(a == b);
}
template <class T0, class T1>
CLADPY_COMPLEX_API bool operator!=(const T0 &a, const complex<T1> &b) {
  return !(b == a);
}

// ---- parts ------------------------------------------------------------------------------------------------------------

template <class T>
CLADPY_COMPLEX_API T abs(const complex<T> &z) {
  return std::hypot(z.real(), z.imag());
}
template <class T>
CLADPY_COMPLEX_API T arg(const complex<T> &z) {
  return std::atan2(z.imag(), z.real());
}
template <class T>
CLADPY_COMPLEX_API T norm(const complex<T> &z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
CLADPY_COMPLEX_API complex<T> conj(const complex<T> &z) {
  return complex<T>(z.real(), -z.imag());
}
template <class T0, class T1 = T0>
CLADPY_COMPLEX_API complex_of<T0, T1> polar(const T0 &size, const T1 &angle = T1()) {
  using T = std::common_type_t<T0, T1>;
  return complex<T>(size * std::cos(T(angle)), size * std::sin(T(angle)));
}
template <class T>
CLADPY_COMPLEX_API complex<T> proj(const complex<T> &z) {
  if (!std::isinf(z.real()) && !std::isinf(z.imag())) return z;
  return complex<T>(T(HUGE_VAL), std::copysign(T(0), z.imag()));
}

// ---- exponentials, powers ---------------------------------------------------------------------------------------------

template <class T>
CLADPY_COMPLEX_API complex<T> exp(const complex<T> &z) {
  const T size = std::exp(z.real());
  return complex<T>(size * std::cos(z.imag()), size * std::sin(z.imag()));
}
template <class T>
CLADPY_COMPLEX_API complex<T> log(const complex<T> &z) {
  return complex<T>(std::log(abs(z)), arg(z));
}
template <class T>
CLADPY_COMPLEX_API complex<T> log10(const complex<T> &z) {
  return log(z) / T(2.30258509299404568402);
}
template <class T>
CLADPY_COMPLEX_API complex<T> sqrt(const complex<T> &z) {
  if (z.real() == T(0) && z.imag() == T(0)) return complex<T>(T(0), z.imag());
  const T x = z.real() < T(0) ? -z.real() : z.real();  // std::abs has no derivative at zero
  const T large = std::sqrt(T(0.5) * (abs(z) + x));
  const T small = T(0.5) * z.imag() / large;
  if (z.real() >= T(0)) return complex<T>(large, small);
  return z.imag() < T(0) ? complex<T>(-small, -large) : complex<T>(small, large);
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> pow(const complex<T0> &z, const complex<T1> &power) {
  using T = std::common_type_t<T0, T1>;
  return exp(log(complex<T>(z)) * complex<T>(power));
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> pow(const complex<T0> &z, const T1 &power) {
  using T = std::common_type_t<T0, T1>;
  return exp(log(complex<T>(z)) * T(power));
}
template <class T0, class T1>
CLADPY_COMPLEX_API complex_of<T0, T1> pow(const T0 &x, const complex<T1> &power) {
  using T = std::common_type_t<T0, T1>;
  return exp(std::log(T(x)) * complex<T>(power));
}

// ---- hyperbolic and trigonometric functions ---------------------------------------------------------------------------

template <class T>
CLADPY_COMPLEX_API complex<T> sinh(const complex<T> &z) {
  const T x = z.real(), y = z.imag();
  return complex<T>(std::sinh(x) * std::cos(y), std::cosh(x) * std::sin(y));
}
template <class T>
CLADPY_COMPLEX_API complex<T> cosh(const complex<T> &z) {
  const T x = z.real(), y = z.imag();
  return complex<T>(std::cosh(x) * std::cos(y), std::sinh(x) * std::sin(y));
}
template <class T>
CLADPY_COMPLEX_API complex<T> tanh(const complex<T> &z) {
  const T x = z.real(), y = z.imag();
  const T c = std::cos(y), s = std::sin(y);
  if (std::abs(x) > T(22)) return complex<T>(std::copysign(T(1), x), T(4) * s * c * std::exp(T(-2) * std::abs(x)));
  const T hyperbolic = std::sinh(x), size = c * c + hyperbolic * hyperbolic;
  return complex<T>(hyperbolic * std::cosh(x) / size, s * c / size);
}
template <class T>
CLADPY_COMPLEX_API complex<T> sin(const complex<T> &z) {
  const T x = z.real(), y = z.imag();
  return complex<T>(std::sin(x) * std::cosh(y), std::cos(x) * std::sinh(y));
}
template <class T>
CLADPY_COMPLEX_API complex<T> cos(const complex<T> &z) {
  const T x = z.real(), y = z.imag();
  return complex<T>(std::cos(x) * std::cosh(y), -(std::sin(x) * std::sinh(y)));
}
template <class T>
CLADPY_COMPLEX_API complex<T> tan(const complex<T> &z) {
  const complex<T> turned = tanh(complex<T>(-z.imag(), z.real()));
  return complex<T>(turned.imag(), -turned.real());
}

// ---- their inverses ---------------------------------------------------------------------------------------------------

// As Kahan has them ("Branch cuts for complex elementary functions", 1987), so that nothing cancels.
template <class T>
CLADPY_COMPLEX_API complex<T> asin(const complex<T> &z) {
  const complex<T> below = sqrt(T(1) - z), above = sqrt(T(1) + z);
  return complex<T>(std::atan2(z.real(), (below * above).real()), std::asinh((conj(below) * above).imag()));
}
template <class T>
CLADPY_COMPLEX_API complex<T> acos(const complex<T> &z) {
  const complex<T> below = sqrt(T(1) - z), above = sqrt(T(1) + z);
  return complex<T>(T(2) * std::atan2(below.real(), above.real()), std::asinh((conj(above) * below).imag()));
}
template <class T>
CLADPY_COMPLEX_API complex<T> acosh(const complex<T> &z) {
  const complex<T> below = sqrt(z - T(1)), above = sqrt(z + T(1));
  return complex<T>(std::asinh((conj(below) * above).real()), T(2) * std::atan2(below.imag(), above.real()));
}
template <class T>
CLADPY_COMPLEX_API complex<T> atanh(const complex<T> &z) {
  const T x = z.real() < T(0) ? -z.real() : z.real(), y = z.real() < T(0) ? -z.imag() : z.imag(), rest = T(1) - x;
  const T re = T(0.25) * std::log1p(T(4) * x / (rest * rest + y * y));
  const T im = T(0.5) * std::atan2(T(2) * y, rest * (T(1) + x) - y * y);
  return z.real() < T(0) ? complex<T>(-re, -im) : complex<T>(re, im);
}
template <class T>
CLADPY_COMPLEX_API complex<T> asinh(const complex<T> &z) {
  const complex<T> turned = asin(complex<T>(-z.imag(), z.real()));
  return complex<T>(turned.imag(), -turned.real());
}
template <class T>
CLADPY_COMPLEX_API complex<T> atan(const complex<T> &z) {
  const complex<T> turned = atanh(complex<T>(-z.imag(), z.real()));
  return complex<T>(turned.imag(), -turned.real());
}

// ---- streams, for the host --------------------------------------------------------------------------------------------

template <class T, class C, class Traits>
std::basic_ostream<C, Traits> &operator<<(std::basic_ostream<C, Traits> &stream, const complex<T> &z) {
  return stream << std::complex<T>(z.real(), z.imag());
}
template <class T, class C, class Traits>
std::basic_istream<C, Traits> &operator>>(std::basic_istream<C, Traits> &stream, complex<T> &z) {
  std::complex<T> read;
  stream >> read;
  z = read;
  return stream;
}

}  // namespace thrust

#undef CLADPY_COMPLEX_API
#endif
