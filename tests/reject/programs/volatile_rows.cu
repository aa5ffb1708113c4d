// k(x, y, s)
__global__ void k(const double *x, double *y, volatile double *s) {
  int i = threadIdx.x;
  if (threadIdx.y == 0) s[i] = x[i] * x[i];
  if (threadIdx.y == 1) y[i] = s[i];
}
