// below(p, x)
__global__ void below(volatile double *p, const double *x, int n) {
  int t = threadIdx.x, u = t - 5;
  if (u < n) {
    double before = t >= 5 ? p[u] : 0;
    p[u + n] = x[t] + before;
  }
}
