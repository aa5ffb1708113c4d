// k(x, y)
// CP0225
__global__ void k(double *x, double *y, int *most) {
  atomicMax(most, (int)x[threadIdx.x]);
  y[threadIdx.x] = x[threadIdx.x];
}
