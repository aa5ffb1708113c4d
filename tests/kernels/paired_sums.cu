// Sums over warps for elements of two arrays at one index, which are made together, and those that are not.
__global__ void two_weights(const double *a, const double *b, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < m; k++) s = a[k] * s + b[k] * s * s;
  y[i] = s;
}

// Three of them, of which two are of one type.
__global__ void three_weights(const double *a, const float *b, const double *c, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < m; k++) s = a[k] * s + b[k] + c[k] * s * s;
  y[i] = s;
}

// Threads are in different iterations: their elements differ.
__global__ void at_different_steps(const double *a, const double *b, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = i % 3; k < m; k++) {
    s = a[k] * s + b[k] * x[i];
    if (s > 2.5) break;
  }
  y[i] = s;
}

// One index, and one that changes in between; the same array twice.
__global__ void neighbours(const double *a, const double *b, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k + 1 < m; k++) {
    int at = k;
    const double first = a[at];
    at++;
    s = first * s + b[at] * 0.5 + a[at] * b[k];
  }
  y[i] = s;
}

// Under a condition that parts the warp, and with one sum inside of it only.
__global__ void apart(const double *a, const double *b, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < m; k++) {
    s += a[k] * x[i];
    if ((i + k) % 2) s += b[k] * s + a[k] * 0.25;
  }
  y[i] = s;
}

// More elements than a block has sums of its own for.
__global__ void many(const float *a, const float *b, const float *x, float *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m; k++) y[i] += a[k] * x[i] + b[k] * x[i] * x[i];
}

// Between the two additions lanes tell each other something, or there is another element of one of the arrays.
__global__ void with_a_shuffle(const double *a, const double *b, const double *x, double *y, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < m; k++) {
    const double told = b[k] * x[i];
    s += __shfl_xor_sync(0xffffffff, told, 1) + a[k] * x[i];
    const double first = a[k], second = b[k + 1], third = b[k];
    s = s * 0.9 + sin(s) * first * second * third;
  }
  y[i] = s;
}
