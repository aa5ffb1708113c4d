// Forces between molecules, by lists of neighbours and a functor with work tags, as ExaMiniMD has them: what they are
// differentiated for is to fit the potential's numbers, or to find how stiff the molecules are bound.
// gradients: forces energy
#include <Kokkos_Core.hpp>

using Positions = Kokkos::View<double *[3]>;
using Neighbours = Kokkos::View<const int **>;

struct LennardJones {
  struct Force {};
  struct Energy {};

  Positions x, f;
  Neighbours neighbours;
  double epsilon, sigma, cutoff;

  KOKKOS_INLINE_FUNCTION double pair(const double square) const {
    const double s = sigma * sigma / square, s6 = s * s * s;
    return 24.0 * epsilon * s6 * (2.0 * s6 - 1.0) / square;
  }
  KOKKOS_INLINE_FUNCTION void operator()(Force, const int i) const {
    const double xi = x(i, 0), yi = x(i, 1), zi = x(i, 2);
    double fx = 0, fy = 0, fz = 0;
    for (int k = 0; k < static_cast<int>(neighbours.extent(1)); ++k) {
      const int j = neighbours(i, k);
      const double dx = xi - x(j, 0), dy = yi - x(j, 1), dz = zi - x(j, 2);
      const double square = dx * dx + dy * dy + dz * dz;
      if (j != i && square < cutoff * cutoff) {
        const double force = pair(square);
        fx += force * dx;
        fy += force * dy;
        fz += force * dz;
      }
    }
    f(i, 0) += fx;
    f(i, 1) += fy;
    f(i, 2) += fz;
  }
  KOKKOS_INLINE_FUNCTION void operator()(Energy, const int i, double &sum) const {
    for (int k = 0; k < static_cast<int>(neighbours.extent(1)); ++k) {
      const int j = neighbours(i, k);
      const double dx = x(i, 0) - x(j, 0), dy = x(i, 1) - x(j, 1), dz = x(i, 2) - x(j, 2);
      const double square = dx * dx + dy * dy + dz * dz;
      if (j != i && square < cutoff * cutoff) {
        const double s = sigma * sigma / square, s6 = s * s * s;
        sum += 2.0 * epsilon * s6 * (s6 - 1.0);
      }
    }
  }
};

void forces(const Positions &x, const Positions &f, const Neighbours &neighbours, const double epsilon, const double sigma, const double cutoff) {
  Kokkos::deep_copy(f, 0.0);
  const int n = static_cast<int>(x.extent(0));
  Kokkos::parallel_for("forces", Kokkos::RangePolicy<LennardJones::Force>(0, n), LennardJones{x, f, neighbours, epsilon, sigma, cutoff});
  Kokkos::fence();
}

double energy(const Positions &x, const Neighbours &neighbours, const double epsilon, const double sigma, const double cutoff) {
  double sum = 0;
  const int n = static_cast<int>(x.extent(0));
  Kokkos::parallel_reduce("energy", Kokkos::RangePolicy<LennardJones::Energy>(0, n), LennardJones{x, x, neighbours, epsilon, sigma, cutoff}, sum);
  return sum;
}
