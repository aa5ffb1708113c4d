// k(x, y)
// CP0220: what other threads add to cannot be put back.
__device__ void spread(const double *x, double *y, int n) {
  if (n < 0) return;
  atomicAdd(&y[n % 3], x[n] * x[n]);
  spread(x, y, n - 1);
}
__global__ void k(double *x, double *y, int n) { spread(x, y, n); }
