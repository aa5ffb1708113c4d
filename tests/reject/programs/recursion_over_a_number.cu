// k(x, y)
// CP0510: each would be a copy.
__device__ void add(double &a, double &b, int n) {
  if (n == 0) return;
  a += b * n;
  add(a, b, n - 1);
}
__global__ void k(double *x, double *y, int n) {
  double v = x[0];
  add(v, v, n);
  y[0] = v;
}
