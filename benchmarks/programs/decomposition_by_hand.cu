// The decomposition again, and then the derivative of what it converges to: V (diag(l') + F o (V' V'bar)) V', of which the matrix
// is symmetric.
#include "decomposition.cu"

template <bool Fresh>
__global__ void eigen_back(const double *matrices, int n, double *d_values, double *d_vectors, double *d_matrices) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double xx = matrices[i], yy = matrices[n + i], zz = matrices[2 * n + i];
  double xy = matrices[3 * n + i], yz = matrices[4 * n + i], xz = matrices[5 * n + i];
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
#pragma unroll
  for (int sweep = 0; sweep < 5; sweep++) {
    rotate(xx, yy, xy, xz, yz, v[0][0], v[0][1], v[1][0], v[1][1], v[2][0], v[2][1]);
    rotate(xx, zz, xz, xy, yz, v[0][0], v[0][2], v[1][0], v[1][2], v[2][0], v[2][2]);
    rotate(yy, zz, yz, xy, xz, v[0][1], v[0][2], v[1][1], v[1][2], v[2][1], v[2][2]);
  }
  const double l[3] = {xx, yy, zz};
  double inner[3][3], d[3][3];
#pragma unroll
  for (int r = 0; r < 3; r++)
#pragma unroll
    for (int c = 0; c < 3; c++) d[r][c] = d_vectors[(3 * r + c) * n + i];
#pragma unroll
  for (int p = 0; p < 3; p++)
#pragma unroll
    for (int q = 0; q < 3; q++) {
      if (p == q) {
        inner[p][p] = d_values[p * n + i];
      } else {
        const double along = v[0][p] * d[0][q] + v[1][p] * d[1][q] + v[2][p] * d[2][q];
        inner[p][q] = along / (l[q] - l[p]);
      }
    }
  double whole[3][3];
#pragma unroll
  for (int r = 0; r < 3; r++)
#pragma unroll
    for (int c = 0; c < 3; c++) {
      double sum = 0.0;
#pragma unroll
      for (int p = 0; p < 3; p++)
#pragma unroll
        for (int q = 0; q < 3; q++) sum += v[r][p] * inner[p][q] * v[c][q];
      whole[r][c] = sum;
    }
  give<Fresh>(d_matrices[i], whole[0][0]);
  give<Fresh>(d_matrices[n + i], whole[1][1]);
  give<Fresh>(d_matrices[2 * n + i], whole[2][2]);
  give<Fresh>(d_matrices[3 * n + i], whole[0][1] + whole[1][0]);
  give<Fresh>(d_matrices[4 * n + i], whole[1][2] + whole[2][1]);
  give<Fresh>(d_matrices[5 * n + i], whole[0][2] + whole[2][0]);
#pragma unroll
  for (int k = 0; k < 9; k++) spend<Fresh>(d_vectors[k * n + i]);
#pragma unroll
  for (int k = 0; k < 3; k++) spend<Fresh>(d_values[k * n + i]);
}

template <bool Fresh>
void eigen_by_hand(const at &a, double *, double *, const double *matrices, int n, double *d_values,
                   double *d_vectors, double *d_matrices) {
  LAUNCH(a, (eigen_back<Fresh>), matrices, n, d_values, d_vectors, d_matrices);
}
