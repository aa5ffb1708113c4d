// k(x, y)
// CP0301: what the function reads holds a derivative, which ends there.
__device__ double sum(const double *p, int n) { return n == 0 ? 0.0 : p[n - 1] + sum(p, n - 1); }
__global__ void k(const double *x, double *scratch, double *y) {
  for (int i = 0; i < 4; ++i) scratch[i] = x[i] * x[i];
  y[0] = sum(scratch, 4);
}
