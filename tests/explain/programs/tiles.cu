// Shared memory: tiles that each iteration loads are loaded again in the reverse sweep, and not stored.
__global__ void k(const double *A, const double *B, double *C, int n) {
  __shared__ double a[4][4], b[4][4];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 4 + ty, col = blockIdx.x * 4 + tx;
  double sum = 0.0;
  for (int t = 0; t < n; t += 4) {
    a[ty][tx] = A[row * n + t + tx];
    b[ty][tx] = B[(t + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  C[row * n + col] = sum;
}
