// The product y' A x, a row for each team, whose threads share its columns.
// gradients: inner_product
#include <Kokkos_Core.hpp>

using Vector = Kokkos::View<double *>;
using Matrix = Kokkos::View<double **>;

double inner_product(const Vector &y, const Matrix &a, const Vector &x) {
  using Policy = Kokkos::TeamPolicy<>;
  const int columns = static_cast<int>(a.extent(1));
  double result = 0;
  Kokkos::parallel_reduce("yAx", Policy(static_cast<int>(a.extent(0)), Kokkos::AUTO), KOKKOS_LAMBDA(const Policy::member_type &team, double &sum) {
    const int row = team.league_rank();
    double product = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, columns), [&](const int k, double &s) { s += a(row, k) * x(k); }, product);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { sum += y(row) * product; });
  }, result);
  return result;
}
