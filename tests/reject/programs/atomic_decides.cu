// k(x, y)
// CP0226
__global__ void k(double *x, double *y, int *taken) {
  if (atomicExch(&taken[threadIdx.x / 2], 1) == 0) y[threadIdx.x / 2] = x[threadIdx.x];
}
