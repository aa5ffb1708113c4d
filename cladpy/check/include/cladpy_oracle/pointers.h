// Library functions that read or write floating-point memory through pointers: the value by the program's own function,
// the tangents of what is written beside it.
#ifndef CLADPY_ORACLE_POINTERS_H
#define CLADPY_ORACLE_POINTERS_H

#include "cladpy_oracle/formulas.h"
#include "cladpy_oracle/shadow.h"

namespace cladpy_oracle {
namespace pointers {

inline void sincos(dual<double> x, double *s, double *c) {
  double vs, vc;
  ::sincos(x.v, &vs, &vc);
  store<double>{formula::sin(vs, x), *s};
  store<double>{formula::cos(vc, x), *c};
}
inline void sincosf(dual<float> x, float *s, float *c) {
  float vs, vc;
  ::sincosf(x.v, &vs, &vc);
  store<float>{formula::sin(vs, x), *s};
  store<float>{formula::cos(vc, x), *c};
}
inline void sincos(dual<float> x, float *s, float *c) { sincosf(x, s, c); }
template <class T> void sincospi(dual<T> x, T *s, T *c) {
  T vs, vc;
  ::sincospi(x.v, &vs, &vc);
  store<T>{formula::sinpi(vs, x), *s};
  store<T>{formula::cospi(vc, x), *c};
}
template <class T> dual<T> modf(dual<T> x, T *whole) {
  T part;
  T fraction = std::modf(x.v, &part);
  store<T>{constant(part), *whole};
  return {fraction, x.t, x.m};
}
template <class T> dual<T> frexp(dual<T> x, int *exponent) {
  T fraction = std::frexp(x.v, exponent);
  return chain(fraction, std::exp2(-real(*exponent)), x);
}
template <class T> dual<T> remquo(dual<T> x, dual<T> y, int *quotient) {
  T rest = std::remquo(x.v, y.v, quotient);
  return formula::remainder(rest, x, y);
}

// norm(dim, a) and rnorm(dim, a); the value comes from the program's function.
template <class T> dual<T> norm_of(T value, int given, const T *a, bool reciprocal) {
  const int dim = given < 1 ? 1 : given;  // as CUDA has it
  real n = 0;
  for (int i = 0; i < dim; ++i) n += real(a[i]) * a[i];
  n = std::sqrt(n);
  dual<T> result = constant(value);
  if (n == 0 && !reciprocal) {  // the length of the step
    for (int i = 0; i < dim; ++i) {
      result.t = std::hypot(result.t, load(a[i]).t);
      result.m += load(a[i]).m;
    }
    return result;
  }
  for (int i = 0; i < dim; ++i) {
    dual<T> x = load(a[i]);
    dual<T> part = chain(value, reciprocal ? -x.v / (n * n * n) : x.v / n, x);
    result.t += part.t;
    result.m += part.m;
  }
  return result;
}

template <class T> dual<T> atomic_add(T *place, dual<T> value) {
  cladpy::host::note_atomic(place, sizeof *place);
  dual<T> before = look(*place);
  put(add<T>{before, value}.r, *place);
  return before;
}
// A vector of numbers of type T: number by number, as the tangents.
template <class T, class V> bundle<V> atomic_add(V *place, const bundle<V> &value) {
  constexpr std::size_t n = sizeof(V) / sizeof(T);
  const bundle<V> before = load(*place);
  T given[n];
  std::memcpy(given, &value.v, sizeof given);
  for (std::size_t i = 0; i < n; ++i) atomic_add(reinterpret_cast<T *>(place) + i, dual<T>{given[i], value.cells[i].t, value.cells[i].m});
  return before;
}
template <class T> dual<T> atomic_exchange(T *place, dual<T> value) {
  cladpy::host::note_atomic(place, sizeof *place);
  dual<T> before = look(*place);
  put(value, *place);
  return before;
}

}  // namespace pointers
}  // namespace cladpy_oracle

#endif
