// run(x)
// CP0018
#include <Kokkos_Core.hpp>
struct Product {
  Kokkos::View<double *> x;
  KOKKOS_INLINE_FUNCTION void init(double &p) const { p = 1; }
  KOKKOS_INLINE_FUNCTION void join(double &p, const double &q) const { p *= q; }
  KOKKOS_INLINE_FUNCTION void operator()(int i, double &p) const { p *= x(i); }
};
double run(const Kokkos::View<double *> &x) {
  double product = 1;
  Kokkos::parallel_reduce(x.extent(0), Product{x}, product);
  return product;
}
