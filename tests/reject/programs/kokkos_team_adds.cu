// run(x, y)
// CP0018
#include <Kokkos_Core.hpp>
using Policy = Kokkos::TeamPolicy<>;
KOKKOS_INLINE_FUNCTION void add(double &to, double value) { to += value; }
double run(const Kokkos::View<double *> &x, const Kokkos::View<double *> &y) {
  double sum = 0;
  Kokkos::parallel_reduce(Policy(4, 8), KOKKOS_LAMBDA(const Policy::member_type &team, double &s) {
    const double mine = x(team.league_rank());
    add(s, mine);
    add(s, mine * mine);
    if (mine > 0 && team.team_rank() == 0) s += mine;
    Kokkos::single(Kokkos::PerTeam(team), [&]() { s += mine; });
    double own = Kokkos::sqrt(mine);
    add(own, mine);
    const auto by_lambda = [&](double value) { s += value; };
    by_lambda(mine);
    Kokkos::atomic_add(&y(0), mine);
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 3), [=](int j) { y(j) = mine; });
    s++;
  }, sum);
  return sum;
}
