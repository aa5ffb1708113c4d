// k(x, y)
// CP0502
__device__ double sum(const double *x, int n) { return n < 0 ? 0.0 : x[n] * x[n] + sum(x, n - 1); }
__global__ void k(double *x, double *y, int n) {
  x[n] = x[n] * 2;
  y[0] = sum(x, n);
}
