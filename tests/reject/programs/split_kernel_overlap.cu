// k(x, y)
// split=1
// may_alias=1
// CP0524
__global__ void k(double *x, double *y) {
  double v = x[threadIdx.x];
  y[threadIdx.x] = v * v;
  x[threadIdx.x] = v * y[threadIdx.x];
}
