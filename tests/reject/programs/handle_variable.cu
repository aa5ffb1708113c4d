// k(x, y)
// CP0212: a handle says nothing that could be computed with.
__global__ void k(double *x, double *y) {
  cudaStream_t stream = 0;
  y[0] = x[0];
}
