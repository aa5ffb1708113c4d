// k(x, y)
// CP0265
#include <mma.h>
using namespace nvcuda;
__global__ void k(const double *x, double *y) {
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::load_matrix_sync(sum, x, 8, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; ++i) y[32 * i + threadIdx.x] = sum.x[i] * sum.x[i];
}
