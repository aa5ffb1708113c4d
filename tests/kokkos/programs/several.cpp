// Any number of results, also into views; reducers of truth; more dimensions; strides that a program says; members not named.
// gradients: four three_kinds into_views any_large copied strided grown held_twice
#include <Kokkos_Core.hpp>

using Vector = Kokkos::View<double *>;
using Grid = Kokkos::View<double ****>;

double four(const Vector &x) {
  double a = 0, b = 0, c = 0;
  long count = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &p, double &q, long &n, double &r) {
    p += x(i);
    q += x(i) * x(i);
    n += i % 2;
    r += 1 / x(i);
  }, a, b, count, c);
  return a * b + c * count;
}

double three_kinds(const Vector &x) {
  double sum = 0, product = 0, least = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<>(1, x.extent(0)), KOKKOS_LAMBDA(const int i, double &s, double &p, double &m) {
    s += x(i) * x(i - 1);
    p *= x(i);
    if (x(i) < m) m = x(i);
  }, sum, Kokkos::Prod<double>(product), Kokkos::Min<double>(least));
  return sum * product * least;
}

double into_views(const Vector &x) {
  using Space = Kokkos::DefaultExecutionSpace::memory_space;
  Kokkos::View<double, Space> most("most"), all("all");
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &m) { m = Kokkos::fmax(m, x(i)); }, Kokkos::Max<double, Space>(most));
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += x(i) * most(); }, Kokkos::Sum<double, Space>(all));
  double sum = 0;
  Kokkos::deep_copy(sum, all);
  return sum * sum;
}

double any_large(const Vector &x) {
  int any = 0, every = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, int &u) { u = u || x(i) > 1; }, Kokkos::LOr<int>(any));
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, int &u) { u = u && x(i) > 1; }, Kokkos::LAnd<int>(every));
  return (any ? x(0) * x(0) : x(1)) + (every ? x(2) : x(3) * x(3));
}

void copied(const Grid &a, const Grid &b, double value) {
  Kokkos::parallel_for(Kokkos::MDRangePolicy<Kokkos::Rank<4>>({0, 0, 0, 0}, {7, 5, 4, 3}), KOKKOS_LAMBDA(int i, int j, int k, int l) { a(i, j, k, l) *= b(i, j, k, l); });
  Kokkos::deep_copy(b, a);
  Kokkos::deep_copy(a, value);
}

double strided(const Vector &x) {
  Kokkos::View<double **, Kokkos::LayoutStride> pairs(x.data() + 1, Kokkos::LayoutStride(2, 3, 2, 1));
  double sum = 0;
  Kokkos::parallel_reduce(2, KOKKOS_LAMBDA(const int i, double &s) { s += pairs(i, 0) * pairs(i, 1) * pairs(1 - i, 0); }, sum);
  return sum;
}

double grown(const Grid &x) {
  Grid a("a", 2, 2, 2, 2);
  Kokkos::parallel_for(2, KOKKOS_LAMBDA(const int i) { a(i, 1, 1, 1) = x(i, 0, 1, 1) * x(i, 1, 1, 0); });
  Kokkos::resize(a, 3, 2, 2, 2);
  double sum = 0;
  Kokkos::parallel_reduce(3, KOKKOS_LAMBDA(const int i, double &s) { s += a(i, 1, 1, 1) * a(i, 1, 1, 1); }, sum);
  return sum;
}

// The loops' results are added to what is read by nothing, though the functor has the view under another name as well.
struct Twice {
  Vector plain;
  Kokkos::View<double *, Kokkos::MemoryTraits<Kokkos::Atomic>> atomic;
  Vector x;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    for (int k = 0; k < 3; ++k) atomic((i + k) / 2) += x(i) * x(i) * k;
  }
};
void held_twice(const Vector &x, const Vector &y) {
  Twice each;
  each.plain = y;
  each.atomic = y;
  each.x = x;
  Kokkos::parallel_for(5, each);
}
