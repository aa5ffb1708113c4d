// Products of matrices that a warp holds together.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

// Each warp has a tile of the result; the last rows and columns are no whole tiles, and are left alone.
__global__ void product(const __half *a, const __half *b, const float *c, float *d, int m, int n, int k, float alpha) {
  const int row = 16 * ((blockIdx.x * blockDim.x + threadIdx.x) / 32), column = 16 * blockIdx.y;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, before;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    if (row < m && column < n) {
      wmma::load_matrix_sync(left, a + row * k + i, k);
      wmma::load_matrix_sync(right, b + column * k + i, k);
      wmma::mma_sync(sum, left, right, sum);
    }
  }
  if (row < m && column < n) {
    wmma::load_matrix_sync(before, c + row * n + column, n, wmma::mem_row_major);
    for (int i = 0; i < before.num_elements; ++i) before.x[i] = alpha * sum.x[i] * before.x[i];
    wmma::store_matrix_sync(d + row * n + column, before, n, wmma::mem_row_major);
  }
}

// Of double precision, through shared memory, by columns.
__global__ void of_doubles(const double *a, const double *b, double *d) {
  __shared__ double tile[64];
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::col_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::load_matrix_sync(left, a, 8);
  wmma::load_matrix_sync(right, b, 8);
  wmma::fill_fragment(sum, 1.0);
  wmma::mma_sync(sum, left, right, sum);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(tile, sum, 8, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += 32) d[i] = tile[i] * tile[63 - i];
}
