// Views on the host, which are the same memory where loops run there, and what programs do with them in either case.
// gradients: steps rows both chosen host
#include <Kokkos_Core.hpp>
#include <utility>
using Values = Kokkos::View<double *>;
// The host looks at each step, and changes something.
double steps(const Values &x, int count) {
  auto here = Kokkos::create_mirror_view(x);
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) { x(i) = Kokkos::sin(x(i)) * x(i); });
    Kokkos::deep_copy(here, x);
    for (size_t i = 0; i < here.extent(0); ++i) sum += here(i) * here(i);
    here(0) = here(1) * sum;
    Kokkos::deep_copy(x, here);
  }
  return sum;
}
void rows(const Kokkos::View<double **> &a) {
  auto here = Kokkos::create_mirror_view(a);
  Kokkos::deep_copy(here, a);
  for (size_t i = 0; i < here.extent(0); ++i) here(i, 0) = here(i, 1) * here(i, 2);
  Kokkos::deep_copy(a, here);
}
double both(const Values &x) {
  const Values y("y", x.extent(0));
  const auto here = Kokkos::create_mirror_view(y);
  for (size_t i = 0; i < here.extent(0); ++i) here(i) = 0.5 + i;
  if (here.extent(0) > 3) Kokkos::deep_copy(y, here);
  else Kokkos::deep_copy(y, here);
  double sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += y(i) * x(i) * x(i); }, sum);
  return sum;
}
double chosen(const Values &x) {
  Values a("a", x.extent(0)), b("b", x.extent(0));
  Kokkos::deep_copy(a, x);
  std::swap(a, b);
  auto here = Kokkos::create_mirror_view(Kokkos::DefaultExecutionSpace(), b);
  double sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += here(i) * here(i); }, sum);
  return sum;
}
double host(const Values &x) {
  Kokkos::View<double *, Kokkos::HostSpace> h("h", x.extent(0));
  Kokkos::deep_copy(h, x);
  auto same = Kokkos::create_mirror_view(h);
  auto there = Kokkos::create_mirror_view(Kokkos::DefaultExecutionSpace(), h);
  same(0) = same(1) * same(1);
  Kokkos::deep_copy(there, h);
  double sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += there(i) * there(i) * x(i); }, sum);
  return sum + h(0);
}
