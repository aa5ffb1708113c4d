// k(x, y)
// CP0205
extern __shared__ double tile[];
__global__ void k(double *x, double *y) {
  tile[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = tile[threadIdx.x];
}
