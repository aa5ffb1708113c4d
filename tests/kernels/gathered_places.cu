// Stencils whose place is a thread's, a block's, or both, and which use these numbers beside.

__global__ void one_block(const double *x, double *y, int n) {
  int i = threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = sin(x[i - 1]) * x[i + 1] + x[i];
}

__global__ void one_thread(const double *x, double *y, int n) {
  int i = blockIdx.x;
  if (i > 0 && i < n - 1) y[i] = sin(x[i - 1]) * x[i + 1] + x[i];
}

__global__ void by_thread(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] * threadIdx.x + x[i + 1] * blockIdx.x + x[i] * x[i];
}

__global__ void by_both(const double *x, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
    y[j * n + i] = x[j * n + i - 1] * threadIdx.x + x[j * n + i + 1] * blockIdx.y +
                   x[(j - 1) * n + i] * x[(j + 1) * n + i] + gridDim.y * x[j * n + i];
}

__global__ void one_sided(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 3) y[i] = x[i + 1] * x[i + 2] + x[i + 3] * (i % blockDim.x);
}
