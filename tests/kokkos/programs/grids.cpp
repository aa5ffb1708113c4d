// Loops over several indices, views of several ranks and layouts, extents in the conditions of loops, copies.
// gradients: heat products rows volume static_extents copied filled
#include <Kokkos_Core.hpp>

using Grid = Kokkos::View<double **>;
using Range2 = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;

double heat(const Grid &u) {
  const long n = u.extent(0), m = u.extent(1);
  Grid next("next", n, m);
  Kokkos::parallel_for("heat", Range2({1, 1}, {n - 1, m - 1}), KOKKOS_LAMBDA(const int i, const int j) {
    next(i, j) = u(i, j) + 0.1 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j)) * u(i, j);
  });
  double sum = 0;
  Kokkos::parallel_reduce("energy", Range2({0, 0}, {n, m}), KOKKOS_LAMBDA(const int i, const int j, double &s) { s += next(i, j) * next(i, j); }, sum);
  return sum;
}

void products(const Kokkos::View<double **, Kokkos::LayoutLeft> &a, const Kokkos::View<double *> &x, const Kokkos::View<double *> &y) {
  Kokkos::parallel_for("products", 5, KOKKOS_LAMBDA(const int i) {
    double sum = 0;
    for (size_t j = 0; j < a.extent(0); ++j) sum += a(j, i) * x(j);
    y(i) = sum;
  });
}

// Iterations of one index and all of the other meet at an element.
void rows(const Grid &a, const Kokkos::View<double *> &x) {
  Kokkos::parallel_for(Range2({0, 0}, {7, 5}), KOKKOS_LAMBDA(const int i, const int j) { a(i, j) = a(i, j) * x(i) + x(j); });
}

void volume(const Kokkos::View<double ***, Kokkos::LayoutRight> &a) {
  using Range3 = Kokkos::MDRangePolicy<Kokkos::Rank<3>>;
  Kokkos::parallel_for("volume", Range3({0, 0, 0}, {7, 5, 4}), KOKKOS_LAMBDA(const int i, const int j, const int k) { a(i, j, k) = a(i, j, k) * a(i, j, k) + i * j; });
}

double static_extents(const Kokkos::View<double *[3]> &points) {
  double sum = 0;
  Kokkos::parallel_reduce(points.extent(0), KOKKOS_LAMBDA(const int i, double &s) {
    double length = 0;
    for (int k = 0; k < 3; ++k) length += points(i, k) * points(i, k);
    s += Kokkos::sqrt(length);
  }, sum);
  return sum;
}

void copied(const Kokkos::View<double *> &x, const Kokkos::View<double *> &y) {
  Kokkos::View<double *> kept("kept", x.extent(0));
  Kokkos::deep_copy(kept, x);
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) { x(i) = kept(i) * y(i); });
  Kokkos::deep_copy(y, kept);
}

// Between layouts, and what was there before counts no more.
void filled(const Kokkos::View<double **, Kokkos::LayoutLeft> &a, const Kokkos::View<double **, Kokkos::LayoutRight> &b, double value) {
  Kokkos::parallel_for(Range2({0, 0}, {7, 5}), KOKKOS_LAMBDA(const int i, const int j) { a(i, j) = a(i, j) * b(i, j); });
  Kokkos::deep_copy(b, a);
  Kokkos::deep_copy(a, 2 * value);
}
