// Barriers with nothing beside them that has a derivative: they separate in the reverse sweep too.
__global__ void barrier_under_condition(const double *x, double *y, int n) {
  __shared__ double s[32];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  if (n > 0) __syncthreads();
  if (t < 31) y[t] = s[t] * s[t + 1];
}

__global__ void barriers_in_a_loop(const double *x, double *y, int n) {
  __shared__ double s[32];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  for (int k = 0; k < n; ++k) {
    if (k % 2 == 1) __syncthreads();
  }
  y[t] = s[t] * s[31 - t];
}
