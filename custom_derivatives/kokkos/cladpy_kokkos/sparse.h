// KokkosKernels' sparse matrices by rows, and their products with vectors.
#pragma once

#include <cladpy_kokkos/blas.h>

namespace KokkosSparse {

template <class Ordinal, class Size>
struct CrsGraph {
  using row_map_type = Kokkos::View<const Size *>;
  using entries_type = Kokkos::View<Ordinal *>;
  row_map_type row_map;
  entries_type entries;
};

template <class Scalar, class Ordinal, class Device, class Memory = void, class Size = std::size_t>
class CrsMatrix {
 public:
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  using size_type = Size;
  using values_type = Kokkos::View<Scalar *>;
  using StaticCrsGraphType = CrsGraph<Ordinal, Size>;
  using staticcrsgraph_type = StaticCrsGraphType;
  using row_map_type = typename StaticCrsGraphType::row_map_type;
  using index_type = typename StaticCrsGraphType::entries_type;

  StaticCrsGraphType graph;
  values_type values;

  CrsMatrix(const Kokkos::cladpy_kokkos::label &, Ordinal, Ordinal columns, Size, const values_type &vals, const row_map_type &rows,
            const index_type &columns_of)
      : graph{rows, columns_of}, values(vals), columns_(columns) {}
  __host__ __device__ Ordinal numRows() const { return Ordinal(graph.row_map.extent(0)) - 1; }
  __host__ __device__ Ordinal numCols() const { return columns_; }
  __host__ __device__ Size nnz() const { return graph.entries.extent(0); }

 private:
  Ordinal columns_;
};

// y = alpha * op(A) * x + beta * y
template <class Alpha, class A, class X, class Beta, class Y>
inline void spmv(const Kokkos::cladpy_kokkos::operation &mode, const Alpha &alpha, const A &a, const X &x, const Beta &beta, const Y &y) {
  static_assert(Kokkos::cladpy_kokkos::has_rank<X, 1> && Kokkos::cladpy_kokkos::has_rank<Y, 1>,
                "Kokkos: spmv is of views of rank 1 in the default memory space");
  using T = typename Y::non_const_value_type;
  const T factor = alpha, old = beta;
  const auto rows = a.graph.row_map;
  const auto columns = a.graph.entries;
  const auto values = a.values;
  if (mode.is_transposed) {
    Kokkos::parallel_for(y.extent(0), KOKKOS_LAMBDA(const long i) { y(i) = old == T(0) ? T(0) : old * y(i); });
    Kokkos::parallel_for(a.numRows(), KOKKOS_LAMBDA(const long i) {
      for (long k = long(rows(i)); k < long(rows(i + 1)); ++k) Kokkos::atomic_add(&y(columns(k)), T(factor * values(k) * x(i)));
    });
  } else {
    Kokkos::parallel_for(a.numRows(), KOKKOS_LAMBDA(const long i) {
      T sum = 0;
      for (long k = long(rows(i)); k < long(rows(i + 1)); ++k) sum += values(k) * x(columns(k));
      y(i) = factor * sum + (old == T(0) ? T(0) : old * y(i));
    });
  }
}

}  // namespace KokkosSparse
