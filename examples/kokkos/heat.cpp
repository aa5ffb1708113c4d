// The heat equation in the plane, step by step: loops over two indices, and views that change places.
// gradients: heat
#include <Kokkos_Core.hpp>

#include <utility>

using Grid = Kokkos::View<double **>;

// What is left of the heat after some steps; `conductivity` differs from place to place.
double heat(const Grid &first, const Grid &conductivity, const double dt, const int steps) {
  const int n = static_cast<int>(first.extent(0)), m = static_cast<int>(first.extent(1));
  Grid now("now", n, m), next("next", n, m);
  Kokkos::deep_copy(now, first);
  Kokkos::deep_copy(next, first);
  using Inner = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
  for (int step = 0; step < steps; ++step) {
    Kokkos::parallel_for("step", Inner({1, 1}, {n - 1, m - 1}), KOKKOS_LAMBDA(const int i, const int j) {
      const double flow = now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1) - 4.0 * now(i, j);
      next(i, j) = now(i, j) + dt * conductivity(i, j) * flow;
    });
    std::swap(now, next);
  }
  double sum = 0;
  Kokkos::parallel_reduce("left", Inner({0, 0}, {n, m}), KOKKOS_LAMBDA(const int i, const int j, double &s) { s += now(i, j) * now(i, j); }, sum);
  return sum;
}
