// run(x)
// CP0018
#include <Kokkos_Core.hpp>
struct Product {
  Kokkos::View<double ****> x;
  KOKKOS_INLINE_FUNCTION void init(double &p) const { p = 1; }
  KOKKOS_INLINE_FUNCTION void join(double &p, const double &q) const { p *= q; }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, int l, double &p) const { p *= x(i, j, k, l); }
};
double run(const Kokkos::View<double ****> &x) {
  double product = 1;
  Kokkos::parallel_reduce(Kokkos::MDRangePolicy<Kokkos::Rank<4>>({0, 0, 0, 0}, {2, 2, 2, 2}), Product{x}, product);
  return product;
}
