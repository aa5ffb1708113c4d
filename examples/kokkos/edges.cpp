// Flows along the edges of an unstructured mesh: values are gathered from nodes, and what flows is scattered to them.
// gradients: flow
#include <Kokkos_Core.hpp>

using Vector = Kokkos::View<double *>;
using Edges = Kokkos::View<const int *[2]>;

struct Flow {
  Edges edges;
  Vector weight, value, residual;
  KOKKOS_INLINE_FUNCTION void operator()(const int e) const {
    const int a = edges(e, 0), b = edges(e, 1);
    const double mean = 0.5 * (value(a) + value(b));
    const double flux = weight(e) * mean * (value(a) - value(b));
    Kokkos::atomic_add(&residual(a), -flux);
    Kokkos::atomic_add(&residual(b), flux);
  }
};

double flow(const Edges &edges, const Vector &weight, const Vector &value) {
  Vector residual("residual", value.extent(0));
  Kokkos::parallel_for("edges", edges.extent(0), Flow{edges, weight, value, residual});
  double sum = 0;
  Kokkos::parallel_reduce("nodes", value.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += residual(i) * residual(i); }, sum);
  return sum;
}
