// The right side reads memory: it is evaluated only where the left side asks for it.
__global__ void k(double *x, int n) {
  if (n > 0 && x[n - 1] > 0 || n < -5) x[0] = 1;
}
