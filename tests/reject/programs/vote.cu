// k(x, y)
// CP0223
__global__ void k(double *x, double *y) {
  if (__any_sync(0xffffffff, x[threadIdx.x] > 0)) y[threadIdx.x] = x[threadIdx.x];
}
