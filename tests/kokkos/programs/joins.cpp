// Reductions by a functor's own join, by reducers of a program's own, and those that say where an extremum is.
// gradients: product energies largest_pair teams by_reducer where_smallest where_largest both_ends ends_of_all running
#include <Kokkos_Core.hpp>

using Vector = Kokkos::View<double *>;
using Matrix = Kokkos::View<double **>;

struct Product {
  using value_type = double;
  Vector x;
  KOKKOS_INLINE_FUNCTION void init(double &p) const { p = 1; }
  KOKKOS_INLINE_FUNCTION void join(double &p, const double &q) const { p *= q; }
  KOKKOS_INLINE_FUNCTION void operator()(int i, double &p) const { p *= x(i); }
};
double product(const Vector &x) {
  double p = 3;
  Kokkos::parallel_reduce("product", Kokkos::RangePolicy<>(1, x.extent(0)), Product{x}, p);
  return p * p;
}

// A result of several numbers, which is finished in the end; it has no init, and begins as zero.
struct Energy {
  double energy, virial[3];
};
struct Energies {
  using value_type = Energy;
  Vector x;
  KOKKOS_INLINE_FUNCTION void join(Energy &e, const Energy &f) const {
    e.energy += f.energy;
    for (int k = 0; k < 3; ++k) e.virial[k] += f.virial[k];
  }
  KOKKOS_INLINE_FUNCTION void final(Energy &e) const { e.energy *= 0.5; }
  KOKKOS_INLINE_FUNCTION void operator()(const int i, Energy &e) const {
    e.energy += x(i) * x(i);
    e.virial[i % 3] += Kokkos::sin(x(i));
  }
};
double energies(const Vector &x) {
  Energy e;
  Kokkos::parallel_reduce(x.extent(0), Energies{x}, e);
  return e.energy * e.virial[0] + e.virial[2];
}

struct LargestPair {
  using value_type = double;
  Matrix a;
  KOKKOS_INLINE_FUNCTION void init(double &p) const { p = -1e300; }
  KOKKOS_INLINE_FUNCTION void join(double &p, const double &q) const {
    if (q > p) p = q;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, double &p) const {
    if (a(i, j) * a(j, i) > p) p = a(i, j) * a(j, i);
  }
};
double largest_pair(const Matrix &a) {
  double p = 0;
  const int n = static_cast<int>(a.extent(1));
  Kokkos::parallel_reduce(Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, n}), LargestPair{a}, p);
  return p * p;
}

struct ProductOfRows {
  using value_type = double;
  Matrix a;
  KOKKOS_INLINE_FUNCTION void init(double &p) const { p = 1; }
  KOKKOS_INLINE_FUNCTION void join(double &p, const double &q) const { p *= q; }
  KOKKOS_INLINE_FUNCTION void operator()(const Kokkos::TeamPolicy<>::member_type &team, double &p) const {
    const Matrix all = a;
    const int row = team.league_rank();
    double sum = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, static_cast<int>(all.extent(1))), [=](int j, double &s) { s += all(row, j); }, sum);
    if (team.team_rank() == 0) p *= sum;
  }
};
double teams(const Matrix &a) {
  double p = 0;
  Kokkos::parallel_reduce(Kokkos::TeamPolicy<>(a.extent(0), 1), ProductOfRows{a}, p);
  return p;
}

template <class T>
struct Multiplied {
  using reducer = Multiplied;
  using value_type = T;
  using result_view_type = Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  T &value;
  KOKKOS_INLINE_FUNCTION explicit Multiplied(T &v) : value(v) {}
  KOKKOS_INLINE_FUNCTION void join(T &a, const T &b) const { a *= b; }
  KOKKOS_INLINE_FUNCTION void init(T &a) const { a = 1; }
  KOKKOS_INLINE_FUNCTION T &reference() const { return value; }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result_view_type(&value); }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }
};
double by_reducer(const Vector &x) {
  double p = 3;
  Kokkos::parallel_reduce("product", Kokkos::RangePolicy<>(1, x.extent(0)), KOKKOS_LAMBDA(int i, double &q) { q *= x(i); }, Multiplied<double>(p));
  return p * p;
}

double where_smallest(const Vector &x) {
  using Reducer = Kokkos::MinLoc<double, int>;
  Reducer::value_type found;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, Reducer::value_type &least) {
    if (x(i) * x(i) < least.val) {
      least.val = x(i) * x(i);
      least.loc = i;
    }
  }, Reducer(found));
  return found.val * (found.loc + 1);
}
double where_largest(const Vector &x) {
  Kokkos::ValLocScalar<double, int> found;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<>(0, x.extent(0)), KOKKOS_LAMBDA(const int i, Kokkos::ValLocScalar<double, int> &most) {
    if (x(i) > most.val) {
      most.val = x(i);
      most.loc = i;
    }
  }, Kokkos::MaxLoc<double, int>(found));
  return found.val * x(found.loc);
}
double both_ends(const Vector &x) {
  Kokkos::MinMaxScalar<double> found;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const int i, Kokkos::MinMaxScalar<double> &ends) {
    if (x(i) > ends.max_val) ends.max_val = x(i);
    if (x(i) < ends.min_val) ends.min_val = x(i);
  }, Kokkos::MinMax<double>(found));
  return found.max_val * found.min_val;
}
double ends_of_all(const Matrix &a) {
  using Reducer = Kokkos::MinMaxLoc<double, int>;
  Reducer::value_type found;
  const int m = static_cast<int>(a.extent(1)), n = static_cast<int>(a.extent(0));
  Kokkos::parallel_reduce(Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, m}), KOKKOS_LAMBDA(const int i, const int j, Reducer::value_type &ends) {
    if (a(i, j) > ends.max_val) ends.max_val = a(i, j), ends.max_loc = i * m + j;
    if (a(i, j) < ends.min_val) ends.min_val = a(i, j), ends.min_loc = i * m + j;
  }, Reducer(found));
  return found.max_val * found.min_val + found.max_loc * found.min_val;
}

// A scan whose functor has a join of its own.
struct Running {
  using value_type = double;
  Vector x, y;
  KOKKOS_INLINE_FUNCTION void init(double &sum) const { sum = 0; }
  KOKKOS_INLINE_FUNCTION void join(double &sum, const double &more) const { sum += more; }
  KOKKOS_INLINE_FUNCTION void operator()(const int i, double &sum, const bool is_final) const {
    sum += x(i) * x(i);
    if (is_final) y(i) = sum;
  }
};
void running(const Vector &x, const Vector &y) { Kokkos::parallel_scan(x.extent(0), Running{x, y}); }
