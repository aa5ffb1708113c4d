// k(x, y)
// CP0502: other threads read what it writes.
__device__ void fill(double *y, double x, int n) {
  if (n == 0) return;
  y[n] = x * y[n - 1];
  fill(y, x * 2, n - 1);
}
__global__ void k(double *x, double *y, int n) {
  fill(y + 4 * threadIdx.x, x[threadIdx.x], 3);
  __syncthreads();
  x[threadIdx.x] = y[threadIdx.x];
}
