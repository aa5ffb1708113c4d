// k(x, y)
// CP0224
__global__ void k(const double *x, double *y, int bytes) {
  memcpy(y, x, bytes);
}
