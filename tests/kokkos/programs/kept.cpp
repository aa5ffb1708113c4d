// Views in two places, sums that are scattered, elements that are changed atomically, and what a program measures of itself.
// gradients: both_places by_space scattered scattered_in_planes atomically measured resized
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_Timer.hpp>

#include <iostream>

using Vector = Kokkos::View<double *>;
using Matrix = Kokkos::View<double **>;

void both_places(const Vector &x) {
  Kokkos::DualView<double *> both("both", x.extent(0));
  auto there = both.view_device();
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) { there(i) = x(i) * x(i); });
  both.modify_device();
  both.sync_host();
  auto here = both.view_host();
  for (int i = 0; i < static_cast<int>(here.extent(0)); ++i) here(i) = here(i) * 3;
  both.modify_host();
  both.sync_device();
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) { x(i) = there(i); });
}
void by_space(const Vector &x) {
  using Both = Kokkos::DualView<double *>;
  Both both("both", x.extent(0));
  for (int i = 0; i < static_cast<int>(both.extent(0)); ++i) both.h_view(i) = i * 0.5;
  both.modify<Both::host_mirror_space>();
  both.sync<Both::execution_space>();
  auto there = both.d_view;
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) { x(i) = there(i) * x(i) * x(i); });
}

void scattered(const Vector &x, Vector &y) {
  Kokkos::Experimental::ScatterView<double *> sums(y);
  const int n = static_cast<int>(x.extent(0));
  Kokkos::parallel_for(n, KOKKOS_LAMBDA(const int i) {
    auto to = sums.access();
    to((i * 3) % n) += x(i) * x(i);
    to(i / 2) += x(i);
  });
  Kokkos::Experimental::contribute(y, sums);
}
void scattered_in_planes(const Vector &x, Matrix &y) {
  auto sums = Kokkos::Experimental::create_scatter_view(y);
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) {
    auto to = sums.access();
    to(i % 5, 1) += x(i) * x(i);
    to(i / 3, 0) -= x(i);
  });
  Kokkos::Experimental::contribute(y, sums);
}
void atomically(const Vector &x, const Vector &y) {
  Kokkos::View<double *, Kokkos::MemoryTraits<Kokkos::Atomic>> to = y;
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) {
    to(i / 2) += x(i) * x(i);
    to[i / 3] -= x(i);
  });
}

double measured(const Vector &x) {
  Kokkos::Profiling::pushRegion("sum");
  Kokkos::Timer timer;
  double sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += x(i) * x(i); }, sum);
  Kokkos::Profiling::popRegion();
  if (timer.seconds() < -1) std::cout << "never" << std::endl;
  return sum;
}
double resized(const Vector &x) {
  Matrix a("a", 2, x.extent(0));
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) {
    a(0, i) = x(i);
    a(1, i) = x(i) * x(i);
  });
  Kokkos::resize(a, 3, x.extent(0) - 1);
  double sum = 0;
  Kokkos::parallel_reduce(a.extent(1), KOKKOS_LAMBDA(const int i, double &s) { s += a(0, i) * a(1, i) + a(2, i); }, sum);
  return sum;
}
