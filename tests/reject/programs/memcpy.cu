// k(x, y)
// CP0224
__global__ void k(double *x, double *y) {
  long bits;
  memcpy(&bits, x, sizeof bits);
  y[0] = x[1] * (bits >> 52);
}
