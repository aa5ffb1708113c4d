// k(x, y)
// CP0211
__global__ void k(double *x, double *y) {
  if (x < y) y[0] = x[0];
}
