// run(a, x, y)
// CP0018
#include <KokkosBlas.hpp>
#include <Kokkos_Core.hpp>
void run(const Kokkos::View<double **> &a, const Kokkos::View<double *> &x, const Kokkos::View<double *> &y, const char *mode) {
  KokkosBlas::gemv(mode, 1.0, a, x, 0.0, y);
}
