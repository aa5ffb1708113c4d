// k(x, y)
// CP0205, for a static and for a dynamic array; the barrier is not reached.
__global__ void k(double *x, double *y) {
  __shared__ double tile[32];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[31 - threadIdx.x];
}
