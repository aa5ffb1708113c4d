// k(x, y)
// CP0223
__global__ void k(double *x, double *y) {
  double v = x[threadIdx.x];
  v += __shfl_down_sync(0xffffffff, v, 16);
  y[threadIdx.x] = v;
}
