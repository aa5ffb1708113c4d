// k(x, y)
// CP0264
__global__ void k(double *x, double *y) {
  double v = x[threadIdx.x];
  v += __shfl_down(v, 16);
  y[threadIdx.x] = v;
}
