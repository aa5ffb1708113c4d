// k(x, y)
// CP0207
__device__ double scaled(const double &x, int n) { return n == 0 ? x : x * scaled(x, n - 1); }
__global__ void k(const double *x, double *y) {
  const double *p = nullptr;
  y[0] = x[0] * scaled(*p, 2);
}
