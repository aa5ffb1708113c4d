// run(x)
// CP0018
#include <Kokkos_Core.hpp>
using Policy = Kokkos::TeamPolicy<>;
double run(const Kokkos::View<double *> &x) {
  double sum = 0;
  Kokkos::parallel_reduce(Policy(4, 8), KOKKOS_LAMBDA(const Policy::member_type &team, double &s) { s += x(team.league_rank()); }, sum);
  return sum;
}
