// Barriers in branches of a switch, behind what goes on with the next turn, and in functions that operands call.

__device__ double sum(double *s, double v) {
  s[threadIdx.x] = v;
  __syncthreads();
  double r = 0;
  for (int i = 0; i < blockDim.x; ++i) r += s[i] * s[i];
  __syncthreads();
  return r;
}

__global__ void in_operands(const double *x, double *y, int c) {
  __shared__ double s[32];
  double v = x[threadIdx.x];
  v = c > 0 ? v / (1 + sum(s, v)) : v * v;
  if (c > 1 && sum(s, v) > 1e-3) v *= v;
  if (c > 5 || sum(s, v * v) > 1e-9) v = v * v + v;
  for (int k = 0; k < c && sum(s, v) < 1e6; ++k) v *= 1.5 + v;
  y[threadIdx.x] = v;
}

__global__ void in_cases(const double *x, double *y, int n) {
  __shared__ double s[32];
  double v = 0;
  for (int k = 0; k < n; ++k) {
    switch (k % 3) {
      case 0:
        s[threadIdx.x] = x[threadIdx.x] * (k + v);
        __syncthreads();
        v += s[31 - threadIdx.x] * x[threadIdx.x];
        __syncthreads();
        break;
      case 1:
        v *= 1.5 * v;
        continue;
      default:
        v += x[threadIdx.x];
    }
    if (k == 7) break;
    s[threadIdx.x] = v;
    __syncthreads();
    v += s[(threadIdx.x + 1) % 32] * x[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = v;
}

__global__ void going_on(const double *x, double *y, int n, int m) {
  __shared__ double s[32];
  double v = 1;
  for (int k = 0; k < m; ++k) {
    if (k == 2) continue;
    s[threadIdx.x] = x[threadIdx.x] * v;
    __syncthreads();
    const double other = s[(threadIdx.x + k) % 32];
    __syncthreads();
    if (threadIdx.x >= n) continue;
    v += other * x[threadIdx.x];
  }
  y[threadIdx.x] = v;
}

// Functions that are called, not written out, decide about barriers: for all threads alike.
__device__ int wrapped(int i, int n) {
  while (i >= n) i -= n;
  return i;
}

__device__ bool is_paired(int i, int j, const int *kinds) {
  int found = 0;
  for (int k = i; k < j; ++k) found += kinds[k];
  return found > 1;
}

__global__ void decided_by_calls(const double *x, double *y, const int *kinds, int n) {
  __shared__ double s[32];
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    const int j = wrapped(i + 3, n);
    if (!is_paired(i, j, kinds)) {
      if (threadIdx.x == 0) y[i] = x[j] * x[j];
      continue;
    }
    s[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] * x[j] : 0;
    int half = blockDim.x;
    for (half /= 2, __syncthreads(); half > 0; half /= 2, __syncthreads())
      if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half] * s[threadIdx.x];
    if (threadIdx.x == 0) y[i] = s[0];
    __syncthreads();
  }
}
