// run(x)
// CP0018
#include <Kokkos_Core.hpp>
using Number = Kokkos::complex<double>;
double run(const Kokkos::View<double *> &x) {
  Number sum;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(int i, Number &s) { s += Number(x(i), 1.0); }, sum);
  return sum.real();
}
