// k(x, y)
// CP0208: a cast takes the const away; the argument may be read-only memory all the same.
__global__ void k(const double *x, double *y) {
  y[0] = x[0];
  *(double *)x = 1;
}
