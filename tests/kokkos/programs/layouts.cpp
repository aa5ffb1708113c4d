// Subscripts that lead to different elements, and iterations that keep states for as many steps as are known at run time.
// gradients: applied pairs neighbours components rows_of_left squared running smoothed_rows powers raw
#include <Kokkos_Core.hpp>

using Matrix = Kokkos::View<double **>;
using Values = Kokkos::View<double *>;
using Range2 = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;

void applied(const Matrix &a, const Values &x, const Values &y) {
  const int columns = a.extent_int(1);
  Kokkos::parallel_for(a.extent(0), KOKKOS_LAMBDA(const int i) {
    double s = 0;
    for (int j = 0; j < columns; ++j) s += a(i, j) * x(j);
    y(i) = s;
  });
}

void pairs(const Matrix &a, const Matrix &b) {
  Kokkos::parallel_for(Range2({0, 0}, {7, 2}), KOKKOS_LAMBDA(const int i, const int j) { b(i, j) += a(i, 2 * j) * a(i, 2 * j + 1); });
}

void neighbours(const Matrix &a, const Matrix &b) {
  Kokkos::parallel_for(Range2({0, 0}, {7, 4}), KOKKOS_LAMBDA(const int i, const int j) { b(i, j) += a(i, j) * a(i, j + 1); });
}

void components(const Kokkos::View<double *[3], Kokkos::LayoutRight> &a, const Values &y) {
  const double factor = static_cast<double>(a.static_extent(1));
  Kokkos::parallel_for(a.extent(0), KOKKOS_LAMBDA(const int i) { y(i) = a(i, 0) * a(i, 1) + factor * a(i, 2) * a(i, 2); });
}

void rows_of_left(const Kokkos::View<double **, Kokkos::LayoutLeft> &a, const Values &y) {
  const int columns = static_cast<int>(a.extent(1));
  Kokkos::parallel_for(a.extent(0), KOKKOS_LAMBDA(const int i) {
    auto row = Kokkos::subview(a, i, Kokkos::ALL);
    for (int j = 0; j < columns; ++j) y(i) += row(j) * row(j);
  });
}

void squared(const Matrix &a, const Matrix &b) {
  const int columns = static_cast<int>(a.extent(1));
  Kokkos::parallel_for(a.extent(0), KOKKOS_LAMBDA(const int i) {
    for (int j = 0; j < columns; ++j) b(i, j) = a(i, j) * b(i, j);
  });
}

// Each element is made of the one before it.
void running(const Matrix &a) {
  const int columns = static_cast<int>(a.extent(1));
  Kokkos::parallel_for(a.extent(0), KOKKOS_LAMBDA(const int i) {
    for (int j = 1; j < columns; ++j) a(i, j) = Kokkos::sin(a(i, j)) * a(i, j - 1);
  });
}

void smoothed_rows(const Kokkos::View<double ***> &a, int times) {
  const int last = static_cast<int>(a.extent(2)) - 1;
  Kokkos::parallel_for(Range2({1, 1}, {6, 4}), KOKKOS_LAMBDA(const int i, const int j) {
    for (int t = 0; t < times; ++t)
      for (int k = 1; k < last; ++k) a(i, j, k) = 0.5 * a(i, j, k) * a(i, j, k) + 0.25 * (a(i, j, k - 1) + a(i, j, k + 1));
  });
}

// How often each iteration does something, and what it keeps, differs.
double powers(const Values &x, double factor) {
  double sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &s) {
    double p[2] = {x(i), factor};
    for (int k = 0; k < i; ++k) p[k % 2] = Kokkos::sin(p[0]) * p[1] + factor;
    s += p[0];
  }, sum);
  return sum;
}

// By rows through a pointer, and by all elements in a row.
void raw(const Kokkos::View<double **, Kokkos::LayoutRight> &a, const Values &y) {
  const int columns = static_cast<int>(a.extent(1));
  Kokkos::parallel_for(a.extent(0), KOKKOS_LAMBDA(const int i) {
    const double *const row = &a(i, 0), *const all = a.data();
    for (int j = 0; j < columns; ++j) y(i) += row[j] * a(i, j) * all[i + j];
  });
}
