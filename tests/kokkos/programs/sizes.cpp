// Teams whose number of threads a program says: what all of them do for themselves does not count them.
// gradients: rows rows_of_the_first sure told norms in_lanes
#include <Kokkos_Core.hpp>

using Vector = Kokkos::View<double *>;
using Matrix = Kokkos::View<double **>;
using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

// One thread where there is one only, for all that is known here.
inline int threads_for(const Matrix &a) { return static_cast<int>(a.extent(0)) / 5; }

double rows(const Matrix &a, const Vector &x) {
  double sum = 0;
  const int m = static_cast<int>(a.extent(1));
  Kokkos::parallel_reduce(Policy(a.extent(0), threads_for(a)), KOKKOS_LAMBDA(const Member &team, double &s) {
    double row = 0;
    const int i = team.league_rank();
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, m), [=](const int j, double &r) { r += a(i, j) * x(j); }, row);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { s += row * row; });
  }, sum);
  return sum;
}
double rows_of_the_first(const Matrix &a, const Vector &x) {
  double sum = 0;
  const int m = static_cast<int>(a.extent(1));
  Kokkos::parallel_reduce(Policy(a.extent(0), threads_for(a)), KOKKOS_LAMBDA(const Member &team, double &s) {
    double row = 0;
    const int i = team.league_rank();
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, m), [=](const int j, double &r) { r += a(i, j) * x(j); }, row);
    if (row > 0.1 && team.team_rank() == 0) s += row * row;
  }, sum);
  return sum;
}
KOKKOS_INLINE_FUNCTION void add(double &to, double value) { to += value; }
double sure(const Matrix &a) {
  double sum = 0;
  Kokkos::parallel_reduce(Policy(a.extent(0), threads_for(a)), KOKKOS_LAMBDA(const Member &team, double &s) {
    double own = 0;
    add(own, a(team.league_rank(), 0));
    if (team.team_rank() == 0) add(s, own * own);
  }, sum);
  return sum;
}
double told(const Matrix &a) {
  double sum = 0;
  Kokkos::parallel_reduce(Policy(a.extent(0), threads_for(a)), KOKKOS_LAMBDA(const Member &team, double &s) {
    double value = 0;
    if (team.team_rank() == 0) value = a(team.league_rank(), 0);
    team.team_broadcast(value, 0);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { s += value * value * value; });
  }, sum);
  return sum;
}
void norms(const Matrix &a, const Vector &x) {
  const int m = static_cast<int>(a.extent(1));
  Kokkos::parallel_for(Policy(a.extent(0), threads_for(a)), KOKKOS_LAMBDA(const Member &team) {
    const int i = team.league_rank();
    double row = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, m), [=](const int j, double &r) { r += a(i, j) * a(i, j); }, row);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m), [=](const int j) { a(i, j) = a(i, j) / row; });
    x(i) = row;
  });
}
double in_lanes(const Kokkos::View<double ***> &a) {
  double sum = 0;
  const int n = static_cast<int>(a.extent(1)), m = static_cast<int>(a.extent(2)), threads = n / 5;
  Kokkos::parallel_reduce(Policy(a.extent(0), threads), KOKKOS_LAMBDA(const Member &team, double &s) {
    const int i = team.league_rank();
    double all = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, n), [=](const int j, double &r) {
      double inner = 0;
      Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, m), [=](const int k, double &q) { q += a(i, j, k); }, inner);
      r += inner * inner;
    }, all);
    if (team.team_rank() == 0) s += all * all;
  }, sum);
  return sum;
}
