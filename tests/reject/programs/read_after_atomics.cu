// k(x, y, z)
// CP0501
__global__ void k(double *x, double *y, double *z) {
  atomicAdd(&y[0], x[threadIdx.x]);
  z[threadIdx.x] = y[0] * y[0];
}
