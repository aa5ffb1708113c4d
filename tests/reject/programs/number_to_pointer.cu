// k(x, y)
// CP0202, both ways where the front end lets them through.
__global__ void k(double *x, double *y, long where) {
  double *p = (double *)where;
  y[0] = p[0] + x[0];
}
