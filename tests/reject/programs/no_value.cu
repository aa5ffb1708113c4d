// k(x, y)
// CP0209
__global__ void k(double *x, double *y) {
  "a string";
  bool b = "another";
  y[0] = x[0] * b;
}
