// Complex numbers of the small library of the tests.
#pragma once

#include <cmath>

namespace Kokkos {

template <class T>
class alignas(2 * sizeof(T)) complex {
  T first_ = 0, second_ = 0;

 public:
  complex() = default;
  complex(T re, T im = 0) : first_(re), second_(im) {}
  T &real() { return first_; }
  T &imag() { return second_; }
  T real() const { return first_; }
  T imag() const { return second_; }
  friend complex operator+(complex a, complex b) { return {a.first_ + b.first_, a.second_ + b.second_}; }
  friend complex operator-(complex a, complex b) { return {a.first_ - b.first_, a.second_ - b.second_}; }
  friend complex operator*(complex a, complex b) { return {a.first_ * b.first_ - a.second_ * b.second_, a.first_ * b.second_ + a.second_ * b.first_}; }
  friend complex operator/(complex a, complex b) {
    const T square = b.first_ * b.first_ + b.second_ * b.second_;
    return a * complex(b.first_ / square, -b.second_ / square);
  }
  complex &operator+=(complex b) { return *this = *this + b; }
  complex &operator-=(complex b) { return *this = *this - b; }
  complex &operator*=(complex b) { return *this = *this * b; }
  complex &operator/=(complex b) { return *this = *this / b; }
};
template <class T>
complex<T> conj(const complex<T> &a) { return {a.real(), -a.imag()}; }
template <class T>
T abs(const complex<T> &a) { return std::sqrt(a.real() * a.real() + a.imag() * a.imag()); }
template <class T>
T real(const complex<T> &a) { return a.real(); }
template <class T>
T imag(const complex<T> &a) { return a.imag(); }
template <class T>
complex<T> exp(const complex<T> &a) { return {std::exp(a.real()) * std::cos(a.imag()), std::exp(a.real()) * std::sin(a.imag())}; }

}  // namespace Kokkos
