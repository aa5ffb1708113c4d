// k(x, y)
// accumulate=deterministic
// CP0505
__global__ void k(double *x, double *y, int *to) {
  x[to[threadIdx.x]] = x[threadIdx.x / 2] * 2.0;
  y[threadIdx.x] = x[threadIdx.x] * x[0];
}
