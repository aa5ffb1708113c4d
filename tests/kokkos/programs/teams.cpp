// Teams, and the ranges that their threads and vectors divide.
// gradients: products norms weighted staged
#include <Kokkos_Core.hpp>

using Matrix = Kokkos::View<double **>;
using Values = Kokkos::View<double *>;
using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

void products(const Matrix &a, const Values &x, const Values &y) {
  const int columns = static_cast<int>(a.extent(1));
  Kokkos::parallel_for("products", Policy(a.extent(0), Kokkos::AUTO), KOKKOS_LAMBDA(const Member &team) {
    const int i = team.league_rank();
    double sum = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, columns), [&](const int j, double &s) { s += a(i, j) * x(j); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { y(i) = sum * sum; });
  });
}

struct Norms {
  struct Squared {};
  Matrix a;
  Values x;
  KOKKOS_INLINE_FUNCTION void operator()(Squared, const Member &team, double &sum) const {
    const int i = team.league_rank();
    double row = 0;
    Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, 1, 4), [&](const int j, double &s) { s += a(i, j) * a(i, j); }, Kokkos::Sum<double>(row));
    if (team.team_rank() == 0) sum += row * x(i);
  }
};

double norms(const Matrix &a, const Values &x) {
  double sum = 0;
  using Squares = Kokkos::TeamPolicy<Norms::Squared>;
  Kokkos::parallel_reduce("norms", Squares(static_cast<int>(a.extent(0)), 1), Norms{a, x}, sum);
  return Kokkos::sqrt(sum);
}

// Ranges within ranges.
double weighted(const Kokkos::View<double ***> &a, const Matrix &x) {
  const int rows = static_cast<int>(a.extent(1)), columns = static_cast<int>(a.extent(2));
  double all = 0;
  Kokkos::parallel_reduce(Policy(a.extent(0), Kokkos::AUTO, 1), KOKKOS_LAMBDA(const Member &team, double &sum) {
    const int e = team.league_rank();
    double here = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 0, rows), [&](const int i, double &s) {
      double row = 0;
      Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, columns), [&](const int j, double &t) { t += a(e, i, j) * x(e, j); }, row);
      s += row * x(e, i);
    }, here);
    if (team.team_rank() == 0) sum += here;
  }, all);
  return all;
}

// What one range leaves in memory the next one reads, after a barrier.
void staged(const Matrix &a, const Matrix &b, const Matrix &c) {
  const int columns = static_cast<int>(a.extent(1));
  Kokkos::parallel_for(Policy(a.extent(0), Kokkos::AUTO()), KOKKOS_LAMBDA(const Member &team) {
    const int i = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns), [&](const int j) { b(i, j) = Kokkos::sin(a(i, j)); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns), [&](const int j) { c(i, j) += a(i, j) * b(i, (j + 1) % columns); });
  });
}
