// Loops that the threads of a warp leave one by one, which are reversed in step.
__global__ void until_dark(const double *samples, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double light = 1.0, sum = 0.0;
  for (int k = 0; k < m; k++) {
    const double alpha = samples[k * n + i] * x[i];
    sum += alpha * light;
    light *= 1.0 - 0.5 * alpha;
    if (light < 0.3) break;
  }
  y[i] = sum;
}

// Each has a number of its own, which may be none.
__global__ void own_counts(const int *counts, const double *a, const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < counts[i]; k++) s = s * a[k] + sin(s);
  y[i] = s;
}

// A loop in a loop, both with numbers of their own, and a branch around the inner one.
__global__ void nested(const int *counts, const double *a, const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < counts[i]; k++) {
    double t = s;
    if (s < 2.0)
      for (int j = 0; j < counts[n - 1 - i]; j++) t = 0.5 * t * t * a[j] + x[i];
    s = t * a[k] + 0.25 * s;
  }
  y[i] = s;
}

// What an iteration overwrites is put back in the same order.
__global__ void in_place(const int *counts, double *v, const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < counts[i]; k++) {
    v[k * n + i] = v[k * n + i] * s;
    s = s * v[k * n + i] + 0.5;
  }
  y[i] = s;
}

// With a barrier: there all threads of the block count alike.
__global__ void with_barrier(const double *x, double *y, int m, int n) {
  __shared__ double tile[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = i < n ? x[i] : 0.0;
  for (int k = 0; k < m; k++) {
    tile[threadIdx.x] = s * s;
    __syncthreads();
    s = 0.5 * s + tile[(threadIdx.x + 1) % 32] * 0.25;
    __syncthreads();
  }
  if (i < n) y[i] = s;
}
