// k(x, y)
// CP0220
__device__ void fill(double *x, double *y, int n) {
  if (n < 0) return;
  y[n] = x[n] * x[n];
  fill(x, y, n - 1);
}
__global__ void k(double *x, double *y, int n) { fill(x, y, n); }
