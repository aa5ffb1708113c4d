// Products of matrices, and forces between all pairs.

// By columns: a thread for each.
__global__ void gemv(double *out, const double *A, const double *x, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < n; j++) sum += A[j * n + i] * x[j];
  out[i] = sum;
}

// The energy of each of n particles, softened.
__global__ void lj(double *e, const double *x, const double *y, const double *z, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < n; j++) {
    const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
    const double r2 = dx * dx + dy * dy + dz * dz + 0.1, q = 1.0 / (r2 * r2 * r2);
    sum += q * q - q;
  }
  e[i] = sum;
}

// Square matrices by tiles of 16 x 16; n is a multiple of 16.
__global__ void gemm(const float *A, const float *B, float *C, int n) {
  __shared__ float as[16][16], bs[16][16];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * 16 + ty, column = static_cast<int>(blockIdx.x) * 16 + tx;
  float sum = 0;
  for (int k = 0; k < n / 16; k++) {
    as[ty][tx] = A[row * n + k * 16 + tx];
    bs[ty][tx] = B[(k * 16 + ty) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += as[ty][j] * bs[j][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}
