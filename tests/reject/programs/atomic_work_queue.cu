// k(x, y)
// CP0271
__global__ void k(double *x, double *y, int *next, int n) {
  for (int i = atomicAdd(next, 1); i < n; i = atomicAdd(next, 1)) y[i] = x[i] * x[i];
}
