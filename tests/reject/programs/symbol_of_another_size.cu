// k(x, y)
// CP0242
__device__ float one;
void k(const double *x, double *y) {
  cudaMemcpyToSymbol((const void *)&one, x, 4);
  y[0] = x[0];
}
