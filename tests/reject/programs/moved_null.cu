// k(x, y)
// CP0210: where it points to is not known.
__global__ void k(double *x, double *y, int n) {
  double *p = x + n;
  if (p) y[0] = *p;
}
