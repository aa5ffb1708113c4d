// run(x)
// CP0018
#include <Kokkos_Core.hpp>
using Policy = Kokkos::TeamPolicy<>;
void run(const Kokkos::View<double *> &x) {
  Kokkos::parallel_for(Policy(4, Kokkos::AUTO), KOKKOS_LAMBDA(const Policy::member_type &team) {
    const int i = team.league_rank() * 8 + team.team_rank();
    x(i) = x(i) * x(i);
  });
}
