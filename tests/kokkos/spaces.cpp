// Memory and loops in more than one space, which are one where loops run on the host.
#include <Kokkos_Core.hpp>

using View1 = Kokkos::View<double *>;

double everywhere(const View1 &x) {
  double sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += x(i) * x(i); }, sum);
  return sum;
}

double on_the_host(const Kokkos::View<double *, Kokkos::HostSpace> &h, const View1 &x) {
  double sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += x(i) * x(i); }, sum);
  return h(0) * h(0) * sum;
}

void beside_the_device(const View1 &x) {
  using Policy = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>;
  Kokkos::parallel_for(Policy(0, x.extent(0)), KOKKOS_LAMBDA(const int i) { x(i) = x(i) * x(i); });
}
