// k(x, y)
// CP0001: what clang does not understand either.
__global__ void k(double *x, double *y) {
  y[0] = undeclared + 1;
  y[1] = x[0]
}
