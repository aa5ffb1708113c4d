// Forward mode for the oracle: a value in its own C++ type, and beside it a tangent in long double.
//
// `v` is computed by the very operation of the program, so that values are bit for bit the original's. `t` is the
// directional derivative. `m` is the sum of the magnitudes of all contributions to `t`: m / |t| says how much of the
// tangent cancelled, which is the condition number that the gradient check prints.
//
// A zero tangent contributes zero, even where the partial derivative is infinite or not a number.
#ifndef CLADPY_ORACLE_DUAL_H
#define CLADPY_ORACLE_DUAL_H

#include <cmath>
#include <cstddef>
#include <type_traits>

namespace cladpy_oracle {

using real = long double;

// Classes of CUDA that are numbers.
template <class T> struct is_half : std::false_type {};
#ifdef CLADPY_HALF_TYPES_H
template <> struct is_half<__half> : std::true_type {};
template <> struct is_half<__nv_bfloat16> : std::true_type {};
#endif
template <class T> struct is_object : std::integral_constant<bool, std::is_class<T>::value && !is_half<T>::value> {};

template <class T> real number(T v) {
  if constexpr (is_half<T>::value) return static_cast<float>(v);
  else return v;
}

template <class T> struct dual {
  T v;
  real t;
  real m;
};

inline real times(real partial, real tangent) { return tangent == 0 ? real(0) : partial * tangent; }
inline real magnitude(real partial, real m) { return m == 0 || partial == 0 ? real(0) : std::fabs(partial) * m; }

template <class T> dual<T> constant(T v) { return {v, 0, 0}; }

// What a formula sees of an argument: floating arguments are duals, all else has no tangent.
template <class T> auto as_dual(dual<T> x) {
  if constexpr (is_half<T>::value) return dual<float>{static_cast<float>(x.v), x.t, x.m};
  else return x;
}
template <class T> std::enable_if_t<std::is_arithmetic<T>::value, dual<double>> as_dual(T x) {
  return {static_cast<double>(x), 0, 0};
}

template <class T> T plain(dual<T> x) { return x.v; }
template <class T> std::enable_if_t<!std::is_class<T>::value, T> plain(T x) { return x; }

template <class R, class T> dual<R> convert(dual<T> x) { return {static_cast<R>(x.v), x.t, x.m}; }

// A function of one, two, three ... arguments, by its value and its partial derivatives.
template <class R, class A> dual<R> chain(R value, real da, dual<A> a) {
  return {value, times(da, a.t), magnitude(da, a.m)};
}
template <class R, class A, class... Rest> dual<R> chain(R value, real da, dual<A> a, Rest... rest) {
  dual<R> others = chain(value, rest...);
  return {value, times(da, a.t) + others.t, magnitude(da, a.m) + others.m};
}

template <class T> dual<T> negate(dual<T> a) { return {-a.v, -a.t, a.m}; }

// The operators are constructors of structures, used as add<double>{a, b}.r: a braced list is evaluated left to right,
// the operands of an operator are not.
template <class T> struct add {
  dual<T> r;
  add(dual<T> a, dual<T> b) : r{a.v + b.v, a.t + b.t, a.m + b.m} {}
};
template <class T> struct sub {
  dual<T> r;
  sub(dual<T> a, dual<T> b) : r{a.v - b.v, a.t - b.t, a.m + b.m} {}
};
template <class T> struct mul {
  dual<T> r;
  mul(dual<T> a, dual<T> b) : r(chain(static_cast<T>(a.v * b.v), b.v, a, a.v, b)) {}
};
template <class T> struct div {
  dual<T> r;
  div(dual<T> a, dual<T> b)
      : r(chain(static_cast<T>(a.v / b.v), 1 / real(b.v), a, -real(a.v) / (real(b.v) * real(b.v)), b)) {}
};

}  // namespace cladpy_oracle

#endif
