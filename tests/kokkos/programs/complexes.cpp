// Complex numbers in views of real and imaginary parts, and objects whose numbers are private.
// gradients: products turned kept
#include <Kokkos_Complex.hpp>
#include <Kokkos_Core.hpp>

using Number = Kokkos::complex<double>;
using Parts = Kokkos::View<double *[2]>;

double products(const Parts &a, const Parts &b) {
  double sum = 0;
  Kokkos::parallel_reduce(a.extent(0), KOKKOS_LAMBDA(const int i, double &s) {
    const Number x(a(i, 0), a(i, 1)), y(b(i, 0), b(i, 1));
    const Number z = x * Kokkos::conj(y) / (x + 2.0) - 0.5 * y;
    s += Kokkos::abs(z) + Kokkos::real(z) * Kokkos::imag(z);
  }, sum);
  return sum;
}

void turned(const Parts &a, double angle) {
  Kokkos::parallel_for(a.extent(0), KOKKOS_LAMBDA(const int i) {
    Number x(a(i, 0), a(i, 1));
    x *= Kokkos::exp(Number(0.0, angle * i));
    x.imag() += x.real() * x.real();
    x -= Number(1.0) / x;
    a(i, 0) = x.real();
    a(i, 1) = x.imag();
  });
}

// In memory of the function's.
double kept(const Parts &a) {
  Kokkos::View<Number *> waves("waves", a.extent(0));
  Kokkos::parallel_for(a.extent(0), KOKKOS_LAMBDA(const int i) { waves(i) = Number(a(i, 0), a(i, 1)) * Number(0.5, i); });
  Kokkos::parallel_for(a.extent(0) - 1, KOKKOS_LAMBDA(const int i) { waves(i) += waves(i) * waves(i); });
  double sum = 0;
  Kokkos::parallel_reduce(a.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += waves(i).real() * waves(i).imag(); }, sum);
  return sum;
}
