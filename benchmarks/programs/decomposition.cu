// Eigenvalues and eigenvectors of symmetric matrices of 3 x 3 by Jacobi rotations, in a straight line: five sweeps.
__device__ __forceinline__ void rotate(double &pp, double &qq, double &pq, double &rp, double &rq, double &v0p,
                                       double &v0q, double &v1p, double &v1q, double &v2p, double &v2q) {
  const double difference = qq - pp, twice = 2.0 * pq;
  const double root = sqrt(difference * difference + twice * twice);
  const double t = difference >= 0.0 ? twice / (difference + root) : twice / (difference - root);
  const double c = rsqrt(1.0 + t * t), s = t * c;
  pp -= t * pq;
  qq += t * pq;
  pq = 0.0;
  const double old_rp = rp, old_0 = v0p, old_1 = v1p, old_2 = v2p;
  rp = c * rp - s * rq;
  rq = s * old_rp + c * rq;
  v0p = c * v0p - s * v0q;
  v0q = s * old_0 + c * v0q;
  v1p = c * v1p - s * v1q;
  v1q = s * old_1 + c * v1q;
  v2p = c * v2p - s * v2q;
  v2q = s * old_2 + c * v2q;
}

// Six numbers of each matrix, its eigenvalues, and its eigenvectors as columns: each the k-th of all matrices first.
__global__ void eigen(double *values, double *vectors, const double *matrices, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double xx = matrices[i], yy = matrices[n + i], zz = matrices[2 * n + i];
  double xy = matrices[3 * n + i], yz = matrices[4 * n + i], xz = matrices[5 * n + i];
  double v00 = 1.0, v01 = 0.0, v02 = 0.0, v10 = 0.0, v11 = 1.0, v12 = 0.0, v20 = 0.0, v21 = 0.0, v22 = 1.0;
#define SWEEP                                                      \
  rotate(xx, yy, xy, xz, yz, v00, v01, v10, v11, v20, v21);        \
  rotate(xx, zz, xz, xy, yz, v00, v02, v10, v12, v20, v22);        \
  rotate(yy, zz, yz, xy, xz, v01, v02, v11, v12, v21, v22);
  SWEEP SWEEP SWEEP SWEEP SWEEP
#undef SWEEP
  values[i] = xx;
  values[n + i] = yy;
  values[2 * n + i] = zz;
  vectors[i] = v00;
  vectors[n + i] = v01;
  vectors[2 * n + i] = v02;
  vectors[3 * n + i] = v10;
  vectors[4 * n + i] = v11;
  vectors[5 * n + i] = v12;
  vectors[6 * n + i] = v20;
  vectors[7 * n + i] = v21;
  vectors[8 * n + i] = v22;
}
