// k(x, y)
// CP0220
__device__ double *where;
__device__ double chain(double a, int n) {
  double *p = where;
  if (n == 0) return a;
  p[n] = a;
  return chain(a * a, n - 1);
}
__global__ void k(const double *x, double *y) { y[0] = chain(x[0], 3); }
