// k(x, y)
// CP0261
__global__ void k(double *x, double *y) {
  y[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  x[threadIdx.x] = y[threadIdx.x ^ 1];
}
