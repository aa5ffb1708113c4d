// k(x, y)
// CP0223
__global__ void k(double *x, double *y) {
  y[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x + 1] = x[threadIdx.x];
}
