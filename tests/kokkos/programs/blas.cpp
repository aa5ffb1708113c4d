// Functions of KokkosKernels: of vectors, of matrices, and of a sparse matrix that the function makes.
// gradients: norms updates products residual sparse
#include <KokkosBlas.hpp>
#include <KokkosSparse_spmv.hpp>
#include <Kokkos_Core.hpp>

using Values = Kokkos::View<double *>;
using Matrix = Kokkos::View<double **>;

double norms(const Values &x, const Values &y) {
  return KokkosBlas::dot(x, y) * KokkosBlas::nrm2(x) + KokkosBlas::nrm1(y) + KokkosBlas::sum(x) * KokkosBlas::nrm2_squared(y);
}

double updates(const Values &x, const Values &y, double a) {
  KokkosBlas::axpby(a, x, 0.5, y);
  KokkosBlas::axpy(KokkosBlas::dot(x, y), x, y);
  KokkosBlas::scal(x, a, y);
  return KokkosBlas::nrm2(x);
}

void products(const Matrix &a, const Matrix &b, const Matrix &c) {
  const int n = static_cast<int>(a.extent(1));
  auto square = Kokkos::subview(c, std::make_pair(0, n), Kokkos::ALL);
  Matrix left("left", n, n), right("right", n, n);
  KokkosBlas::gemm("T", "N", 0.5, a, b, 0.0, left);
  KokkosBlas::gemm("N", "T", 1.0, square, left, 0.0, right);
  KokkosBlas::gemm("N", "N", 0.25, a, right, 2.0, c);
}

void residual(const Matrix &a, const Values &x, double beta) {
  Values r("r", a.extent(1)), s("s", a.extent(0));
  KokkosBlas::gemv("T", 1.5, a, x, 0.0, r);
  KokkosBlas::gemv("N", -1.0, a, r, 0.0, s);
  KokkosBlas::axpby(1.0, s, beta, x);
}

double sparse(const Kokkos::View<std::size_t *> &rows, const Kokkos::View<int *> &columns, const Values &values, const Values &x) {
  using Sparse = KokkosSparse::CrsMatrix<double, int, Kokkos::DefaultExecutionSpace, void, std::size_t>;
  const int count = static_cast<int>(rows.extent(0)) - 1;
  Sparse a("a", count, count + 1, columns.extent(0), values, rows, columns);
  Values y("y", count), z("z", x.extent(0));
  KokkosSparse::spmv("N", 1.5, a, x, 0.0, y);
  KokkosBlas::axpby(1.0, x, 0.0, z);
  KokkosSparse::spmv("T", 1.0, a, y, 0.5, z);
  return KokkosBlas::dot(z, x) + KokkosBlas::dot(y, y);
}
