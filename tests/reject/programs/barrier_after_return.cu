// k(x, y)
// CP0237
__device__ double neighbour(double v, double *s) {
  s[threadIdx.x] = v;
  __syncthreads();
  return s[(threadIdx.x + 1) % blockDim.x];
}

__global__ void k(double *x, double *y, int n) {
  __shared__ double s[32];
  int i = threadIdx.x;
  if (i >= n) return;
  y[i] = n > 5 ? x[i] * neighbour(x[i], s) : x[i];
}
