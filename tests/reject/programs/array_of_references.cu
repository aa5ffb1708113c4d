// k(x, y)
// CP0212: a variable that points to a pointer.
__global__ void k(double *x, double *y) {
  double *p = x;
  double **q = &p;
  y[0] = **q;
}
