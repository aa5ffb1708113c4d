// Two ways: the rotations undone one by one, with two numbers kept of each; and the derivative of what they converge to.
#include "decomposition.cu"

// A rotation between two axes: what it needs to be undone.
struct Kept {
  double between, tangent;
};

// Undoes a rotation of the pairs of numbers that it mixes, which gives the cotangents of its sine and cosine.
__device__ __forceinline__ void unmix(double c, double s, double &p, double &q, double &d_p, double &d_q, double &d_c,
                                      double &d_s) {
  const double old_p = c * p + s * q, old_q = c * q - s * p, old_d = d_p;
  d_c += d_p * old_p + d_q * old_q;
  d_s += d_q * old_p - d_p * old_q;
  d_p = c * d_p + s * d_q;
  d_q = c * d_q - s * old_d;
  p = old_p;
  q = old_q;
}

__device__ __forceinline__ void unrotate(const Kept &kept, double (&l)[3], double (&d_l)[3], int p, int q, double &rp,
                                         double &rq, double &d_rp, double &d_rq, double &d_pq, double (&v)[3][3],
                                         double (&d_v)[3][3]) {
  const double t = kept.tangent, c = rsqrt(1.0 + t * t), s = t * c;
  double d_c = 0.0, d_s = 0.0;
#pragma unroll
  for (int r = 0; r < 3; r++) unmix(c, s, v[r][p], v[r][q], d_v[r][p], d_v[r][q], d_c, d_s);
  unmix(c, s, rp, rq, d_rp, d_rq, d_c, d_s);
  l[p] += t * kept.between;
  l[q] -= t * kept.between;
  const double apart = d_l[q] - d_l[p];
  d_c += d_s * t;
  const double d_t = d_s * c - d_c * t * c * c * c + apart * kept.between;
  const double difference = l[q] - l[p], twice = 2.0 * kept.between;
  const double root = sqrt(difference * difference + twice * twice), sign = difference >= 0.0 ? 1.0 : -1.0;
  const double d_numerator = d_t / (difference + sign * root), d_denominator = -d_numerator * t;
  const double d_root = sign * d_denominator / root;
  const double d_difference = d_denominator + d_root * difference;
  d_l[q] += d_difference;
  d_l[p] -= d_difference;
  d_pq = apart * t + 2.0 * (d_numerator + d_root * twice);
}

template <bool Fresh>
__global__ void eigen_unrotated(const double *matrices, int n, double *d_values, double *d_vectors,
                                double *d_matrices) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double l[3], d_l[3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, d_v[3][3];
#pragma unroll
  for (int k = 0; k < 3; k++) l[k] = matrices[k * n + i];
  double xy = matrices[3 * n + i], yz = matrices[4 * n + i], xz = matrices[5 * n + i];
  Kept kept[15];
#pragma unroll
  for (int k = 0; k < 15; k++) {
    const int p = k % 3 == 2 ? 1 : 0, q = k % 3 == 0 ? 1 : 2;
    double &between = k % 3 == 0 ? xy : k % 3 == 1 ? xz : yz;
    kept[k].between = between;
    const double difference = l[q] - l[p], twice = 2.0 * between;
    const double root = sqrt(difference * difference + twice * twice);
    kept[k].tangent = difference >= 0.0 ? twice / (difference + root) : twice / (difference - root);
    rotate(l[p], l[q], between, k % 3 == 0 ? xz : xy, k % 3 == 2 ? xz : yz, v[0][p], v[0][q], v[1][p], v[1][q], v[2][p],
           v[2][q]);
  }
  double d_xy = 0.0, d_yz = 0.0, d_xz = 0.0;
#pragma unroll
  for (int k = 0; k < 3; k++) d_l[k] = d_values[k * n + i];
#pragma unroll
  for (int k = 0; k < 9; k++) d_v[k / 3][k % 3] = d_vectors[k * n + i];
#pragma unroll
  for (int k = 14; k >= 0; k--) {
    const int p = k % 3 == 2 ? 1 : 0, q = k % 3 == 0 ? 1 : 2;
    unrotate(kept[k], l, d_l, p, q, k % 3 == 0 ? xz : xy, k % 3 == 2 ? xz : yz, k % 3 == 0 ? d_xz : d_xy,
             k % 3 == 2 ? d_xz : d_yz, k % 3 == 0 ? d_xy : k % 3 == 1 ? d_xz : d_yz, v, d_v);
    (k % 3 == 0 ? xy : k % 3 == 1 ? xz : yz) = kept[k].between;
  }
#pragma unroll
  for (int k = 0; k < 3; k++) give<Fresh>(d_matrices[k * n + i], d_l[k]);
  give<Fresh>(d_matrices[3 * n + i], d_xy);
  give<Fresh>(d_matrices[4 * n + i], d_yz);
  give<Fresh>(d_matrices[5 * n + i], d_xz);
#pragma unroll
  for (int k = 0; k < 9; k++) spend<Fresh>(d_vectors[k * n + i]);
#pragma unroll
  for (int k = 0; k < 3; k++) spend<Fresh>(d_values[k * n + i]);
}

template <bool Fresh>
void eigen_reversed(const at &a, double *, double *, const double *matrices, int n, double *d_values, double *d_vectors,
                    double *d_matrices) {
  LAUNCH(a, (eigen_unrotated<Fresh>), matrices, n, d_values, d_vectors, d_matrices);
}

// The decomposition again, and then the derivative of what it converges to: V (diag(l') + F o (V' V'bar)) V', of which the matrix
// is symmetric.

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
