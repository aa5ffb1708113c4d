// The norm of a vector: a reduction by a functor.
// gradients: norm
#include <Kokkos_Core.hpp>

using Vector = Kokkos::View<double *>;

struct SumOfSquares {
  Vector v;
  KOKKOS_INLINE_FUNCTION void operator()(const int i, double &sum) const { sum += v(i) * v(i); }
};

double norm(const Vector &v) {
  double sum = 0;
  Kokkos::parallel_reduce("norm", v.extent(0), SumOfSquares{v}, sum);
  return Kokkos::sqrt(sum);
}
