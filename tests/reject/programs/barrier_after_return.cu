// k(x, y)
// CP0237
__global__ void k(double *x, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  int rounds = 0;
  do {
    y[i] = x[i];
    __syncthreads();
  } while (++rounds < 3);
}
