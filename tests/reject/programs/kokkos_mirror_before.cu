// run(x)
// CP0532
#include <Kokkos_Core.hpp>
double run(const Kokkos::View<double *> &x, int steps) {
  auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  auto part = Kokkos::subview(here, Kokkos::make_pair(0, 2));
  double before = 0;
  for (int k = 0; k < steps; ++k) {
    before += here(0) * here(0);
    Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(int i) { x(i) = x(i) * x(i); });
    if (k > 1) Kokkos::deep_copy(part, Kokkos::subview(x, Kokkos::make_pair(0, 2)));
  }
  return before;
}
