// run(x)
// CP0532
#include <Kokkos_Core.hpp>
void run(const Kokkos::View<double *> &x) {
  auto here = Kokkos::create_mirror_view(x);
  here(0) = here(0) * here(1);
}
