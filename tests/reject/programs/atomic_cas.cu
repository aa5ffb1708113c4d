// k(x, y)
// CP0271
__global__ void k(double *x, double *y, int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  y[0] += x[threadIdx.x];
  atomicExch(lock, 0);
}
