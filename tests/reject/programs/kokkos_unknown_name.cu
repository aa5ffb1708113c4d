// run(x)
// CP0018
#include <Kokkos_Core.hpp>
void run(const Kokkos::View<double *> &x) {
  Kokkos::parallel_for(Kokkos::WorkGraphPolicy<>(), KOKKOS_LAMBDA(int i) { x(i) = x(i) * x(i); });
}
