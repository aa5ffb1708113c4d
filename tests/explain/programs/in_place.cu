// Memory that is read and overwritten: the store is made in the gradient, and undone; the other one is left out.
__global__ void k(double *y, double *last, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < 3; ++j) y[i] = y[i] * y[i];
  if (i == n - 1) last[0] = 2.0 * y[i];
}
