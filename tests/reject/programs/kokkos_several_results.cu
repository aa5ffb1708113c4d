// run(x)
// CP0018
#include <Kokkos_Core.hpp>
double run(const Kokkos::View<double *> &x) {
  double sum = 0, largest = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(int i, double &s, double &m) {
    s += x(i);
    m = Kokkos::fmax(m, x(i));
  }, sum, Kokkos::Max<double>(largest));
  return sum * largest;
}
