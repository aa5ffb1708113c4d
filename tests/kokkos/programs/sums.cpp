// Loops over a range, with sums of all iterations: functors and lambdas, numbers beside views.
// gradients: norm norm_by_lambda dot centred scale tagged
#include <Kokkos_Core.hpp>

using Vector = Kokkos::View<double *>;

struct SumOfSquares {
  SumOfSquares(Vector v_) : v(v_) {}
  KOKKOS_INLINE_FUNCTION void operator()(int i, double &sum) const { sum += v(i) * v(i); }
  Vector v;
};

double norm(const Vector &v) {
  double sum = 0;
  Kokkos::parallel_reduce(v.extent(0), SumOfSquares(v), sum);
  return Kokkos::sqrt(sum);
}

double norm_by_lambda(const Vector &v) {
  double sum = 0;
  Kokkos::parallel_reduce("norm", v.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += v(i) * v(i); }, sum);
  return Kokkos::sqrt(sum);
}

double dot(Vector x, Vector y) {
  double sum = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<>(0, x.extent(0)), KOKKOS_LAMBDA(int i, double &s) { s += x(i) * y(i); }, sum);
  return sum;
}

// A part of the range only, in a space that is named, and what comes of it is used by a second loop.
double centred(const Vector &x) {
  double sum = 0, squares = 0;
  const int n = static_cast<int>(x.extent(0));
  using Policy = Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace>;
  Kokkos::parallel_reduce("mean", Policy(1, n), KOKKOS_LAMBDA(int i, double &s) { s += x(i); }, sum);
  const double mean = sum / (n - 1);
  Kokkos::parallel_reduce("squares", Policy(1, n), KOKKOS_LAMBDA(int i, double &s) { s += (x(i) - mean) * (x(i) - mean); }, squares);
  return squares;
}

struct Scaled {
  double factor;
  Vector x, y;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const { y(i) = factor * Kokkos::sin(x(i)) + y(i) * y(i); }
};

void scale(double factor, const Vector &x, const Vector &y) {
  Kokkos::parallel_for("scale", x.extent(0), Scaled{factor, x, y});
  Kokkos::fence();
}

struct Tagged {
  struct Square {};
  struct Cube {};
  Vector x, y;
  KOKKOS_INLINE_FUNCTION void operator()(Square, const int i) const { y(i) = x(i) * x(i); }
  KOKKOS_INLINE_FUNCTION void operator()(Cube, const int i) const { y(i) += x(i) * x(i) * x(i); }
};

void tagged(const Vector &x, const Vector &y) {
  const Tagged both{x, y};
  const long n = static_cast<long>(x.extent(0));
  Kokkos::parallel_for(Kokkos::RangePolicy<Tagged::Square>(0, n), both);
  Kokkos::parallel_for(Kokkos::RangePolicy<Tagged::Cube>(0, n), both);
}
