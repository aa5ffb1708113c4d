// Barriers in scopes of their own, and in expressions, where some threads have left.
__global__ void barriers_in_scopes(const double *x, double *y, int n) {
  __shared__ double s[32];
  int i = threadIdx.x;
  if (i >= n) return;
  s[i] = x[i];
  {
    s[i] *= 2;
    __syncthreads();
    s[i] += 1;
  }
  do {
    __syncthreads();
    y[i] = s[i] + s[(i + 1) % n];
    (void)__syncthreads();
  } while (__syncthreads_or(0));
  bool any = (bool)__syncthreads_or(i > 3);
  int k = 3;
  k += __syncthreads_count(i > 2) * (i ? 2 : 1);
  y[i] *= any ? k : 2;
}
