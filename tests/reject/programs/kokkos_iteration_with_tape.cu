// run(x)
// CP0530
#include <Kokkos_Core.hpp>
void run(const Kokkos::View<double *> &x) {
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(int i) {
    double p[2] = {x(i), 1};
    for (int k = 0; x(i) > 0.1; ++k) {
      p[k % 2] = Kokkos::sin(p[0]) * p[1];
      x(i) = x(i) * 0.5;
    }
    x(i) = p[0];
  });
}
