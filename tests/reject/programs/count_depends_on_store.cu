// k(x, y)
// CP0503
__global__ void k(double *x, double *y, int *n) {
  int i = threadIdx.x;
  for (n[i] = 0; n[i] < 10 * i; ++n[i]) x[i] = sin(x[i]);
  y[i] = x[i];
}
