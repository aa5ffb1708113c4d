// k(x, y)
// CP0262
__global__ void k(double *x, double *y) {
  double v = x[threadIdx.x];
  if (v > 0.5)
    v += __shfl_xor_sync(0xffffffff, v, 1);
  else
    v -= __shfl_xor_sync(0xffffffff, v, 1);
  y[threadIdx.x] = v;
}
