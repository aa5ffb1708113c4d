// Parts of views, views of few and of many dimensions and with any stride, copies to the host and back.
// gradients: rows columns blocks many mirrored rank_zero strided filled_on_host resized
#include <Kokkos_Core.hpp>

using Matrix = Kokkos::View<double **>;
using Values = Kokkos::View<double *>;

double rows(const Matrix &a, const Values &x) {
  double all = 0;
  for (int i = 0; i < 3; ++i) {
    auto row = Kokkos::subview(a, i, Kokkos::ALL());
    double sum = 0;
    Kokkos::parallel_reduce(row.extent(0), KOKKOS_LAMBDA(const int j, double &s) { s += row(j) * row(j) * x(i); }, sum);
    all += sum;
  }
  return all;
}

void columns(const Matrix &a, const Values &x) {
  auto first = Kokkos::subview(a, Kokkos::ALL, 0);
  auto last = Kokkos::subview(a, Kokkos::ALL, 4);
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) { first(i) = first(i) * last(i) * x(i); });
}

void blocks(const Kokkos::View<double ***> &a, const Values &x) {
  auto inner = Kokkos::subview(a, Kokkos::make_pair(1, 6), 2, Kokkos::make_pair(1, 3));
  auto some = Kokkos::subview(x, Kokkos::make_pair(2, 7));
  Kokkos::parallel_for(Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {5, 2}),
                       KOKKOS_LAMBDA(const int i, const int j) { inner(i, j) = inner(i, j) * inner(i, j) + some(i); });
}

double many(const Kokkos::View<double ****[2]> &a, const Kokkos::View<double **[2][1][3][2], Kokkos::LayoutLeft> &b) {
  double sum = 0;
  Kokkos::parallel_reduce(a.extent(0), KOKKOS_LAMBDA(const int i, double &s) {
    for (size_t j = 0; j < a.extent(1); ++j)
      for (size_t k = 0; k < 2; ++k) s += a(i, j, 1, 2, k) * b(i, j, k, 0, 2, 1 - k) * a(i, j, 0, 1, k);
  }, sum);
  return sum;
}

// To the host, where it is changed, and back.
void mirrored(const Values &x, const Matrix &a) {
  auto here = Kokkos::create_mirror_view(x);
  Kokkos::deep_copy(here, x);
  for (size_t i = 1; i < here.extent(0); ++i) here(i) = here(i) * here(i - 1);
  Kokkos::deep_copy(x, here);
  Matrix::HostMirror other = Kokkos::create_mirror(a);
  Kokkos::deep_copy(other, a);
  Kokkos::parallel_for(a.extent(0), KOKKOS_LAMBDA(const int i) { a(i, 0) = x(i) * a(i, 1); });
  other(1, 1) = other(2, 2) * other(2, 2);
  Kokkos::deep_copy(a, other);
  auto last = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  x(0) = last(0) * last(1);
}

double rank_zero(const Kokkos::View<double> &factor, const Values &x) {
  Kokkos::View<double> sum("sum");
  Kokkos::deep_copy(sum, factor);
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) { x(i) *= sum() * factor(); });
  double here;
  Kokkos::deep_copy(here, sum);
  return here * here;
}

double strided(const Values &x) {
  Kokkos::View<double *, Kokkos::LayoutStride> every(Kokkos::subview(Kokkos::View<double **, Kokkos::LayoutRight>(x.data(), 3, 2), Kokkos::ALL, 1));
  double sum = 0;
  Kokkos::parallel_reduce(every.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += every(i) * every(i) * x(i); }, sum);
  return sum;
}

void filled_on_host(const Values &x, double value) {
  Kokkos::View<double *, Kokkos::HostSpace> here("here", x.extent(0));
  Kokkos::deep_copy(here, value);
  here(0) += value * value;
  Kokkos::View<double *> there(Kokkos::view_alloc("there", Kokkos::WithoutInitializing), x.extent(0));
  Kokkos::deep_copy(there, here);
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) { x(i) = x(i) * there(i); });
}

double resized(const Values &x) {
  Values y("y", 2);
  Kokkos::realloc(y, x.extent(0));
  Kokkos::deep_copy(y, x);
  Kokkos::resize(y, 4);
  double sum = 0;
  Kokkos::parallel_reduce(y.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += y(i) * y(i); }, sum);
  return sum;
}
