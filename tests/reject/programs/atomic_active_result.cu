// k(x, y, z)
// CP0226
__global__ void k(double *x, double *y, double *z) {
  z[threadIdx.x] = atomicAdd(y, x[threadIdx.x]);
}
