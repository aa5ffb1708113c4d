// A few functions of KokkosKernels as their documentation says what they do, for tests where it is not built.
#pragma once

#include <Kokkos_Core.hpp>

namespace KokkosBlas {

template <class X, class Y>
double dot(const X &x, const Y &y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.extent(0); ++i) sum += x(i) * y(i);
  return sum;
}
template <class X>
double nrm2_squared(const X &x) { return dot(x, x); }
template <class X>
double nrm2(const X &x) { return std::sqrt(dot(x, x)); }
template <class X>
double nrm1(const X &x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.extent(0); ++i) sum += std::fabs(x(i));
  return sum;
}
template <class X>
double sum(const X &x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.extent(0); ++i) sum += x(i);
  return sum;
}
template <class X, class Y>
void axpby(double a, const X &x, double b, const Y &y) {
  for (std::size_t i = 0; i < y.extent(0); ++i) y(i) = a * x(i) + b * y(i);
}
template <class X, class Y>
void axpy(double a, const X &x, const Y &y) { axpby(a, x, 1.0, y); }
template <class Y, class X>
void scal(const Y &y, double a, const X &x) {
  for (std::size_t i = 0; i < y.extent(0); ++i) y(i) = a * x(i);
}
template <class A, class X, class Y>
void gemv(const char mode[], double alpha, const A &a, const X &x, double beta, const Y &y) {
  for (std::size_t i = 0; i < y.extent(0); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < x.extent(0); ++k) sum += (*mode == 'N' ? a(i, k) : a(k, i)) * x(k);
    y(i) = alpha * sum + beta * y(i);
  }
}
template <class A, class B, class C>
void gemm(const char a_mode[], const char b_mode[], double alpha, const A &a, const B &b, double beta, const C &c) {
  const std::size_t inner = a.extent(*a_mode == 'N' ? 1 : 0);
  for (std::size_t i = 0; i < c.extent(0); ++i)
    for (std::size_t j = 0; j < c.extent(1); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < inner; ++k) sum += (*a_mode == 'N' ? a(i, k) : a(k, i)) * (*b_mode == 'N' ? b(k, j) : b(j, k));
      c(i, j) = alpha * sum + beta * c(i, j);
    }
}

}  // namespace KokkosBlas
