// k(x, y)
// CP0227
__global__ void k(double *x, double *y) {
  double sum = 0;
  atomicAdd(&sum, x[0]);
  y[0] = sum;
}
