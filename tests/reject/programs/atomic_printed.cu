// k(x, y)
// CP0226
__global__ void k(double *x, double *y, int *count) {
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  printf("%d\n", atomicAdd(count, 1));
}
