// A step of the method of conjugate gradients, with a sparse matrix by rows: products, sums and updates, one after the other.
// gradients: cg_step
#include <Kokkos_Core.hpp>

using Vector = Kokkos::View<double *>;
using Indices = Kokkos::View<const int *>;

struct Multiply {
  Indices row_start, columns;
  Kokkos::View<const double *> values;
  Vector x, y;
  KOKKOS_INLINE_FUNCTION void operator()(const int row) const {
    double sum = 0;
    for (int k = row_start(row); k < row_start(row + 1); ++k) sum += values(k) * x(columns(k));
    y(row) = sum;
  }
};

double dot(const Vector &x, const Vector &y) {
  double sum = 0;
  Kokkos::parallel_reduce("dot", x.extent(0), KOKKOS_LAMBDA(const int i, double &s) { s += x(i) * y(i); }, sum);
  return sum;
}

void axpby(const double alpha, const Vector &x, const double beta, const Vector &y) {
  Kokkos::parallel_for("axpby", x.extent(0), KOKKOS_LAMBDA(const int i) { y(i) = alpha * x(i) + beta * y(i); });
}

// Changes the solution x, the residual r and the direction p; gives the new residual's square.
double cg_step(const Indices &row_start, const Indices &columns, const Kokkos::View<const double *> &values, const Vector &x,
               const Vector &r, const Vector &p) {
  Vector product("product", x.extent(0));
  Kokkos::parallel_for("multiply", row_start.extent(0) - 1, Multiply{row_start, columns, values, p, product});
  const double before = dot(r, r);
  const double alpha = before / dot(p, product);
  axpby(alpha, p, 1.0, x);
  axpby(-alpha, product, 1.0, r);
  const double after = dot(r, r);
  axpby(1.0, r, after / before, p);
  return after;
}
