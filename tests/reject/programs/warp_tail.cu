// smallest(x, y)
// CP0274
__global__ void smallest(const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    s[t] = min(s[t], s[t + 32]);
    if (t < 16) s[t] = min(s[t], s[t + 16]);
  }
  if (t == 0) y[0] = s[0];
}
