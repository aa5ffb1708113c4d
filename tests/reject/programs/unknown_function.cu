// k(x, y)
// CP0224
__global__ void k(double *x, double *y) {
  unsigned long long t = clock64();
  y[0] = x[0] * t;
}
