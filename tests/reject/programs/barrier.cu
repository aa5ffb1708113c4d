// k(x, y)
// CP0236
__global__ void k(double *x, double *y) {
  y[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 16) {
    __syncthreads();
    y[threadIdx.x] += x[threadIdx.x + 1];
  }
}
