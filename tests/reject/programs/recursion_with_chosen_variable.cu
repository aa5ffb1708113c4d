// k(x, y)
// CP0222
__device__ double chain(double &a, int n) {
  if (n == 0) return a;
  a *= 2;
  return chain(a, n - 1) * a;
}
__global__ void k(const double *x, double *y, int c) {
  double a = x[0], b = x[1];
  y[0] = chain(c ? a : b, 3);
}
