// k(x, y)
// The lanes that are together may be others when the gradient runs than when it was counted.
__global__ void k(double *x, double *y, int n) {
  double a = x[threadIdx.x];
  int left = n;
  while (left > 0) {
    const unsigned here = __activemask();
    a = sin(a) * a;
    left -= __popc(here) & 7;
  }
  y[threadIdx.x] = a;
}
