// Matrices that the lanes of a warp hold together, as products of numbers: what cladpy reads where a program includes
// <mma.h>, and what the host backend runs. nvcc compiles CUDA's own. Which lane holds which number is nobody's to know:
// here a lane has some neighbours of one row of a product, and of its factors all that these are made of, so that no lane
// asks another. Sums are rounded once for each product.
#ifndef CLADPY_MMA_H
#define CLADPY_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision

namespace cladpy_lanes {
template <class T> struct number {
  using held = T;
  using wide = T;
};
template <> struct number<__half> {
  using held = __half;
  using wide = float;
};
template <> struct number<__nv_bfloat16> {
  using held = __nv_bfloat16;
  using wide = float;
};
template <> struct number<precision::tf32> {
  using held = float;
  using wide = float;
};
template <> struct number<signed char> {
  using held = signed char;
  using wide = int;
};
template <> struct number<unsigned char> {
  using held = unsigned char;
  using wide = int;
};

template <class Layout> struct rows { static constexpr bool beside = false; };
template <> struct rows<row_major> { static constexpr bool beside = true; };

__device__ inline int lane() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
// Where the lane's numbers of a product of m rows begin.
__device__ inline int row(int m) { return lane() / (32 / m); }
__device__ inline int column(int m, int n) { return lane() % (32 / m) * (m * n / 32); }
} // namespace cladpy_lanes

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;

template <int m, int n, int k, class T, class Layout> class fragment<matrix_a, m, n, k, T, Layout> {
public:
  using element_type = T;
  static constexpr int num_elements = k;
  typename cladpy_lanes::number<T>::held x[num_elements];
};
template <int m, int n, int k, class T, class Layout> class fragment<matrix_b, m, n, k, T, Layout> {
public:
  using element_type = T;
  static constexpr int num_elements = m * n / 32 * k;
  typename cladpy_lanes::number<T>::held x[num_elements];
};
template <int m, int n, int k, class T> class fragment<accumulator, m, n, k, T> {
public:
  using element_type = T;
  static constexpr int num_elements = m * n / 32;
  typename cladpy_lanes::number<T>::held x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class Value>
__device__ void fill_fragment(fragment<Use, m, n, k, T, Layout> &filled, const Value &value) {
  for (int i = 0; i < filled.num_elements; ++i) filled.x[i] = value;
}

template <int m, int n, int k, class T, class Layout, class From>
__device__ void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout> &loaded, const From *from, unsigned stride) {
  const int row = cladpy_lanes::row(m);
  for (int i = 0; i < k; ++i) loaded.x[i] = from[cladpy_lanes::rows<Layout>::beside ? row * stride + i : i * stride + row];
}
template <int m, int n, int k, class T, class Layout, class From>
__device__ void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout> &loaded, const From *from, unsigned stride) {
  const int column = cladpy_lanes::column(m, n);
  for (int j = 0; j < m * n / 32; ++j) {
    for (int i = 0; i < k; ++i)
      loaded.x[j * k + i] = from[cladpy_lanes::rows<Layout>::beside ? i * stride + column + j : (column + j) * stride + i];
  }
}
template <int m, int n, int k, class T, class From>
__device__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &loaded, const From *from, unsigned stride, layout_t layout) {
  const int row = cladpy_lanes::row(m), column = cladpy_lanes::column(m, n);
  for (int j = 0; j < m * n / 32; ++j)
    loaded.x[j] = from[layout == mem_row_major ? row * stride + column + j : (column + j) * stride + row];
}
template <int m, int n, int k, class T, class To>
__device__ void store_matrix_sync(To *to, const fragment<accumulator, m, n, k, T> &stored, unsigned stride, layout_t layout) {
  const int row = cladpy_lanes::row(m), column = cladpy_lanes::column(m, n);
  for (int j = 0; j < m * n / 32; ++j)
    to[layout == mem_row_major ? row * stride + column + j : (column + j) * stride + row] = stored.x[j];
}

template <int m, int n, int k, class To, class A, class ByA, class B, class ByB, class From>
__device__ void mma_sync(fragment<accumulator, m, n, k, To> &result, const fragment<matrix_a, m, n, k, A, ByA> &a,
                         const fragment<matrix_b, m, n, k, B, ByB> &b, const fragment<accumulator, m, n, k, From> &c,
                         bool = false) {
  using Wide = typename cladpy_lanes::number<To>::wide;
  for (int j = 0; j < m * n / 32; ++j) {
    Wide sum = Wide(c.x[j]);
    for (int i = 0; i < k; ++i) sum += Wide(a.x[i]) * Wide(b.x[j * k + i]);
    result.x[j] = sum;
  }
}

// Of the number's bits only the first are used: which makes no difference here.
__device__ inline float __float_to_tf32(float x) { return x; }

} // namespace wmma
} // namespace nvcuda

#endif
