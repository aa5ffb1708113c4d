// Results that are no sum, several at once, in views of rank 0; prefix sums.
// gradients: largest smallest product equal_ones over_two both three into_view scanned scanned_twice
#include <Kokkos_Core.hpp>

using Values = Kokkos::View<double *>;

double largest(const Values &x) {
  double found = 0;
  Kokkos::parallel_reduce("largest", x.extent(0), KOKKOS_LAMBDA(const int i, double &m) {
    const double value = x(i) * x(i) * (1 + i % 3);
    if (value > m) m = value;
  }, Kokkos::Max<double>(found));
  return found * found;
}

struct Smallest {
  Values x;
  KOKKOS_INLINE_FUNCTION void operator()(const int i, double &m) const { m = Kokkos::fmin(m, Kokkos::sin(x(i))); }
};

// A step that the smallest of all limits.
void smallest(const Values &x, const Values &y) {
  double step = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<>(1, x.extent(0)), Smallest{x}, Kokkos::Min<double>(step));
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(const int i) { y(i) += step * x(i); });
}

double product(const Values &x) {
  double all = 0;
  Kokkos::Prod<double> reducer(all);
  Kokkos::parallel_reduce("product", x.extent(0), KOKKOS_LAMBDA(const int i, double &p) { p *= 0.5 + x(i); }, reducer);
  return all;
}

// Three are always equal: what does not depend on which of them is found.
double equal_ones(const Values &x) {
  double found = 0;
  Kokkos::parallel_reduce(9, KOKKOS_LAMBDA(const int i, double &m) { m = Kokkos::fmax(m, x(i / 3) * x(i / 3)); }, Kokkos::Max<double>(found));
  return found * x(0);
}

double over_two(const Kokkos::View<double **> &a) {
  double found = 0;
  Kokkos::parallel_reduce("over two", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({1, 0}, {7, 4}),
                          KOKKOS_LAMBDA(const int i, const int j, double &m) { m = Kokkos::fmax(m, a(i, j) - 0.2 * a(0, j)); }, Kokkos::Max<double>(found));
  return found * found;
}

double both(const Values &x, const Values &y) {
  double sum = 0, squares = 0;
  Kokkos::parallel_reduce("both", x.extent(0), KOKKOS_LAMBDA(const int i, double &a, double &b) {
    a += x(i) * y(i);
    b += x(i) * x(i);
  }, sum, squares);
  return sum / Kokkos::sqrt(squares);
}

double three(const Values &x) {
  double a = 0, b = 0;
  int count = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &s, int &n, double &t) {
    s += x(i);
    n += i % 2;
    t += x(i) * x(i);
  }, a, count, Kokkos::Sum<double>(b));
  return b / count - a * a;
}

void into_view(const Values &x, const Values &y) {
  Kokkos::View<double> sum("sum");
  Kokkos::parallel_reduce("sum", x.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += x(i) * x(i); }, sum);
  Kokkos::parallel_for(y.extent(0), KOKKOS_LAMBDA(const int i) { y(i) = sum() * y(i); });
}

double scanned(const Values &x, const Values &y) {
  double all = 0;
  Kokkos::parallel_scan("scan", x.extent(0), KOKKOS_LAMBDA(const int i, double &sum, const bool final) {
    if (final) y(i) = sum * x(i);
    sum += x(i) * x(i);
  }, all);
  return all;
}

struct Inclusive {
  Values x, y;
  KOKKOS_INLINE_FUNCTION void operator()(const int i, double &sum, const bool final) const {
    sum += x(i);
    if (final) y(i) = sum;
  }
};

void scanned_twice(const Values &x, const Values &y) {
  Kokkos::parallel_scan(Kokkos::RangePolicy<>(0, x.extent(0)), Inclusive{x, y});
  Kokkos::parallel_scan(x.extent(0), KOKKOS_LAMBDA(const int i, double &sum, bool final) {
    sum += y(i) * y(i);
    if (final) x(i) += sum;
  });
}
