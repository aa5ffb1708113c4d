// k(x, y)
// CP0220: only the kernel knows what becomes of a variable at namespace scope.
__device__ double last;
__device__ void fill(const double *x, double *y, int n) {
  if (n < 0) return;
  last = x[n];
  fill(x, y, n - 1);
  y[n] = last * x[n];
}
__global__ void k(double *x, double *y, int n) { fill(x, y, n); }
