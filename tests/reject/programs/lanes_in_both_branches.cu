// folded(x, y)
// CP0274
__global__ void folded(const double *x, double *y) {
  __shared__ double s[32];
  int t = threadIdx.x;
  if (t < 16)
    s[t] = x[t] * x[t];
  else
    s[t] = s[t - 16];
  y[t] = s[t];
}
