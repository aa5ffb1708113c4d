// k(x, y)
// CP0227
__global__ void k(double *x, double *y, int *i, int *j, int n) {
  y[atomicAdd(n > 0 ? i : j, 1)] = x[threadIdx.x] * x[threadIdx.x];
}
