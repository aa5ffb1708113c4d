// k(x, y)
// CP0274
__device__ void sum_of_warp(volatile double *s, int t) {
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__global__ void k(const double *x, double *y, const int *at) {
  __shared__ double s[64];
  int t = at[threadIdx.x];
  s[t] = x[t];
  __syncthreads();
  if (t < 16) sum_of_warp(s, t);
  if (t == 0) y[0] = s[0];
}
