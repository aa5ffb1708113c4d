// k(x, y)
// CP0227
__global__ void k(double *x, double *y, double *z, int n) {
  atomicAdd(n > 0 ? y : z, x[threadIdx.x]);
}
