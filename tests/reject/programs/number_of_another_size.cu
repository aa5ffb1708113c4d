// k(x, y)
__global__ void k(const double *x, double *y) {
  double d = *x;
  y[0] = d * *(int *)&d;
}
