// through(x, s, y)
__device__ double sum(volatile double *s, int from, int n) {
  if (n == 0) return 0;
  return s[from] + sum(s, from + 1, n - 1);
}
__global__ void through(const double *x, volatile double *s, double *y) {
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  y[t] = sum(s, t + 1, 3);
}
