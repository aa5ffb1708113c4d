// k(x, y)
// CP0502: what it finds there is other threads' work too.
__device__ double sum(const double *x, int n) { return n < 0 ? 0.0 : x[n] * x[n] + sum(x, n - 1); }
__global__ void k(double *x, double *y, int n) {
  __shared__ double tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = sum(tile, n);
}
