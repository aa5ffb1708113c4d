// Views that a function makes, gathers and scatters, loops one after the other that overwrite what others have read.
// gradients: smoothed steps gathered scattered repeated helped states by_hand
#include <Kokkos_Core.hpp>

#include <utility>

using View1 = Kokkos::View<double *>;

double smoothed(const View1 &x) {
  const int n = static_cast<int>(x.extent(0));
  View1 w("w", n);
  Kokkos::parallel_for("smooth", Kokkos::RangePolicy<>(1, n - 1), KOKKOS_LAMBDA(const int i) { w(i) = (x(i - 1) + x(i) + x(i + 1)) / 3; });
  double sum = 0;
  Kokkos::parallel_reduce("energy", n, KOKKOS_LAMBDA(const int i, double &s) { s += w(i) * w(i) * x(i); }, sum);
  return sum;
}

void steps(const View1 &x, int count) {
  const int n = static_cast<int>(x.extent(0));
  View1 a("a", n), b("b", n);
  Kokkos::parallel_for("copy", n, KOKKOS_LAMBDA(const int i) { a(i) = x(i); });
  for (int step = 0; step < count; ++step) {
    Kokkos::parallel_for("step", n, KOKKOS_LAMBDA(const int i) {
      const int left = i > 0 ? i - 1 : n - 1;
      b(i) = a(i) + 0.1 * Kokkos::sin(a(left)) * a(i);
    });
    std::swap(a, b);
  }
  Kokkos::parallel_for("give", n, KOKKOS_LAMBDA(const int i) { x(i) = a(i); });
}

void gathered(const View1 &x, const Kokkos::View<int *> &from, const View1 &y) {
  Kokkos::parallel_for("gather", y.extent(0), KOKKOS_LAMBDA(const int i) { y(i) += x(from(i)) * x(i); });
}

void scattered(const View1 &x, const Kokkos::View<int *> &to, const View1 &y) {
  Kokkos::parallel_for("scatter", x.extent(0), KOKKOS_LAMBDA(const int i) { Kokkos::atomic_add(&y(to(i)), x(i) * x(i)); });
}

// Overwrites what it has read, twice, with a loop in each iteration.
void repeated(const View1 &x) {
  for (int k = 0; k < 2; ++k)
    Kokkos::parallel_for("power", x.extent(0), KOKKOS_LAMBDA(const int i) {
      double p = x(i);
      for (int j = 0; j < 3; ++j) p = p * x(i) * 0.5 + 0.1;
      x(i) = p;
    });
}

KOKKOS_INLINE_FUNCTION double helper(double a, double b) { return a > b ? a * b : Kokkos::exp(a) - b; }

void helped(const Kokkos::View<const double *> &x, const View1 &y) {
  Kokkos::parallel_for("helped", x.extent(0), KOKKOS_LAMBDA(const int i) { y(i) = helper(x(i), y(i)); });
}

// An iteration keeps states of its own: at some distances of a loop whose length nobody knows, and all of a short one.
void states(const View1 &x, int steps) {
  Kokkos::parallel_for("states", x.extent(0), KOKKOS_LAMBDA(const int i) {
    double p = x(i), q = 1, r = 1.5, last[2] = {x(i), 0.5};
    for (int k = 0; k < steps; ++k) {
      const double before = p;
      p = q * r;
      q = r * before;
      r = Kokkos::sin(before) * q;
    }
    for (int k = 0; k < 4; ++k) last[k % 2] = Kokkos::cos(last[0]) * last[1] + p;
    x(i) = p + last[0];
  });
}

// On the host, without a loop of Kokkos'.
double by_hand(const View1 &x) {
  double sum = 0;
  for (size_t i = 0; i < x.extent(0); ++i) sum += x(i) * x(i);
  return Kokkos::sqrt(sum);
}
