// k(x, y)
__global__ void k(double *x, double *y) {
  if (x) y[0] = x[0];
  y[1] = (x + 1 ? 1.0 : 2.0) * x[0];
}
