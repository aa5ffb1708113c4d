// run(grid)
// CP0133
#include <Kokkos_Core.hpp>
class Grid {
 public:
  KOKKOS_INLINE_FUNCTION double &at(int i) const { return x(i); }
  int size() const { return static_cast<int>(x.extent(0)); }

 private:
  Kokkos::View<double *> x;
};
void run(Grid grid) {
  Kokkos::parallel_for(grid.size(), KOKKOS_LAMBDA(int i) { grid.at(i) = grid.at(i) * grid.at(i); });
}
