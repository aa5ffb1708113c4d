// k(x, y)
// CP0220: the other way to it.
__device__ double last(const double *p, int n) { return n ? last(p, n - 1) * 2 : *p; }
__global__ void k(double *x, double *y, int n) {
  double v = x[0];
  y[0] = last(&v, n);
}
