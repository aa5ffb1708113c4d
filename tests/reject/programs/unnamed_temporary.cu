// k(x, y)
// CP0301: what passes through memory without an adjoint would be lost.
__global__ void k(double *x, double *y, double *temporary) {
  int i = threadIdx.x;
  temporary[i] = x[i] * x[i];
  y[i] = temporary[i] * 3;
}
