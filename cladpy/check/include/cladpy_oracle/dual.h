// Forward mode for the oracle: a value in its own C++ type, and beside it a tangent in long double.
//
// `v` is computed by the very operation of the program, so that values are bit for bit the original's. `t` is the
// directional derivative. `m` is the sum of the magnitudes of all contributions to `t`: m / |t| says how much of the
// tangent cancelled, which is the condition number that the gradient check prints.
//
// A zero tangent contributes zero, even where the partial derivative is infinite or not a number; and so does a partial
// derivative that is zero, as that of an exponential of what is infinite below.
#ifndef CLADPY_ORACLE_DUAL_H
#define CLADPY_ORACLE_DUAL_H

#include <cmath>
#include <cstddef>
#include <cstring>
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

inline real times(real partial, real tangent) { return tangent == 0 || partial == 0 ? real(0) : partial * tangent; }
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

// Directional derivatives at kinks. Where two numbers are equal, a comparison goes as it does a little further along the
// direction: which of them is larger there, their tangents say. So the tangents of a program that is continuous are those
// of the branches that it takes right beside the point, on the side that the direction leads to; no convention is needed.
// `turned` says that some comparison went otherwise than at the point itself. With `draw`, which of two equal numbers is
// the larger is drawn by lot, for each comparison by itself: what a derivative is that is made of any of the sides.
struct sides {
  bool directed, turned;
  unsigned draw;
};
inline sides &side() {
  static sides one{true, false, 0};
  return one;
}

// Whether a number that grows by this much more than one that is equal to it is taken for the larger.
inline bool grows(real difference) {
  if (!side().draw) return difference > 0;
  const double number = static_cast<double>(difference);
  unsigned long long bits;
  std::memcpy(&bits, &number, sizeof bits);
  bits = (bits ^ side().draw * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  return (bits ^ bits >> 31) * 0x94d049bb133111ebull >> 63;
}

// Whether a number that is zero is taken for positive.
inline bool above_zero(real value, real tangent) {
  return value > 0 || (value == 0 && side().directed && tangent != 0 && grows(tangent));
}

// The outcome of a comparison, which asks whether the first number is the larger, or the smaller.
template <class T> bool decided(bool outcome, bool larger, dual<T> a, dual<T> b) {
  const bool tells = a.t > b.t || a.t < b.t;
  if (!side().directed || number(a.v) != number(b.v) || !tells) return outcome;
  const bool beside = larger ? grows(a.t - b.t) : grows(b.t - a.t);
  side().turned |= beside != outcome;
  return beside;
}

// Of equality in a condition that asks for the order too, as `a > b || (a == b && i < j)`: beside the point there is none.
template <bool equal, class T> struct same {
  bool r;
  same(dual<T> a, dual<T> b) : r((a.v == b.v) == equal) {
    if (!side().directed || !(a.v == b.v) || !(a.t > b.t || a.t < b.t)) return;
    r = !equal;
    side().turned = true;
  }
};

template <bool larger, bool or_equal, class T> struct ordered {
  bool r;
  ordered(dual<T> a, dual<T> b)
      : r(decided(larger ? (or_equal ? a.v >= b.v : a.v > b.v) : (or_equal ? a.v <= b.v : a.v < b.v), larger, a, b)) {}
};

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
