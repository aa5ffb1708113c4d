// k(x, y)
// CP0226
__global__ void k(double *x, double *y, int *count) {
  if (x[threadIdx.x] > 0) y[atomicAdd(count, 1)] = x[threadIdx.x];
}
