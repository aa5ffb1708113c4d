// k(x, y)
// CP0501
__global__ void k(double *x, double *y, int *count) {
  if (count[0] > 3) y[threadIdx.x] = x[threadIdx.x];
  atomicMax(count, (int)threadIdx.x);
}
