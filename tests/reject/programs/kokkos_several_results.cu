// run(x)
// CP0018
#include <Kokkos_Core.hpp>
double run(const Kokkos::View<double *> &x) {
  double smallest = 0, largest = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(int i, double &s, double &m) {
    s = Kokkos::fmin(s, x(i));
    m = Kokkos::fmax(m, x(i));
  }, Kokkos::Min<double>(smallest), Kokkos::Max<double>(largest));
  return smallest * largest;
}
