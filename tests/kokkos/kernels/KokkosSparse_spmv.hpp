// KokkosKernels' sparse matrix, and its product with a vector, for tests where it is not built.
#pragma once

#include <Kokkos_Core.hpp>

#include <string>

namespace KokkosSparse {

template <class Scalar, class Ordinal, class Device, class Memory = void, class Size = std::size_t>
class CrsMatrix {
  Ordinal rows_, number_of_columns_;

 public:
  struct StaticCrsGraphType {
    Kokkos::View<const Size *> row_map;
    Kokkos::View<Ordinal *> entries;
  } graph;
  Kokkos::View<Scalar *> values;
  CrsMatrix(const std::string &, Ordinal rows, Ordinal columns, Size, const Kokkos::View<Scalar *> &numbers,
            const Kokkos::View<const Size *> &row_map, const Kokkos::View<Ordinal *> &entries)
      : rows_(rows), number_of_columns_(columns), graph{row_map, entries}, values(numbers) {}
  Ordinal numRows() const { return rows_; }
  Ordinal numCols() const { return number_of_columns_; }
};

template <class A, class X, class Y>
void spmv(const char mode[], double alpha, const A &a, const X &x, double beta, const Y &y) {
  for (std::size_t i = 0; i < y.extent(0); ++i)
    if (*mode != 'N' || i < std::size_t(a.numRows())) y(i) *= beta;
  for (int i = 0; i < a.numRows(); ++i)
    for (std::size_t k = a.graph.row_map(i); k < a.graph.row_map(i + 1); ++k) {
      const int j = a.graph.entries(k);
      y(*mode == 'N' ? i : j) += alpha * a.values(k) * x(*mode == 'N' ? j : i);
    }
}

}  // namespace KokkosSparse
