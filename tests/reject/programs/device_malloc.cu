// k(x, y)
// CP0206
__global__ void k(double *x, double *y) {
  double *p = (double *)malloc(8);
  p[0] = x[0];
  y[0] = p[0];
  free(p);
}
