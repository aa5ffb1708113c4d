// run(x)
// CP0018
#include <Kokkos_Core.hpp>
double run(const Kokkos::View<double **> &x) {
  double sum = 0, product = 0;
  const Kokkos::MDRangePolicy<Kokkos::Rank<2>> all({0, 0}, {3, 2});
  Kokkos::parallel_reduce(all, KOKKOS_LAMBDA(int i, int j, double &s, double &p) {
    s += x(i, j);
    p *= x(i, j);
  }, sum, Kokkos::Prod<double>(product));
  return sum * product;
}
