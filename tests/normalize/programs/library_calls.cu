// Atomics, votes of a block, and functions of a library with several results.
__global__ void k(const double *x, double *y) {
  double s, c;
  sincos(x[threadIdx.x], &s, &c);
  if (__syncthreads_or(s > c)) atomicAdd(y, s * c);
  y[1] = norm3d(x[0], x[1], x[2]) + __shfl_down_sync(0xffffffff, s, 1);
}
