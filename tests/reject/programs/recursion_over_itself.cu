// k(x, y)
// CP0510: in the function the two are different memory.
__device__ void merge(double *low, double *high, int n) {
  if (n == 0) return;
  low[n - 1] *= high[n - 1];
  merge(low, high, n - 1);
}
__global__ void k(double *x, double *y, int n) {
  y[0] = x[0];
  merge(y, y + n, n);
}
