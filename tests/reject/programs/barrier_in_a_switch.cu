// k(x, y)
// CP0237
__global__ void k(const double *x, double *y, int n, int c) {
  __shared__ double s[32];
  if (threadIdx.x >= n) return;
  s[threadIdx.x] = x[threadIdx.x];
  switch (c) {
    case 1:
      __syncthreads();
      y[threadIdx.x] = s[0];
      break;
    default:
      y[threadIdx.x] = s[threadIdx.x];
  }
}
