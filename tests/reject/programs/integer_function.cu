// k(x, y)
// CP0319: what bits are as a number has no derivative by them.
__global__ void k(const int *x, float *y) {
  int i = threadIdx.x;
  y[i] = 3 * __int_as_float(x[i]);
}
