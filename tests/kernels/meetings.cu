// Where threads of a block meet in shared memory between two barriers, and where they do not.

// They do not: the lower half adds what the upper half has.
__global__ void halves(const double *x, double *y, int n) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.5;
  __syncthreads();
  for (unsigned int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[t] = 0.5 * s[t] * s[t] + sin(s[t + k]);
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0] * s[0];
}

// They do, in all that follows. The halves overlap.
__global__ void overlapping(const double *x, double *y, int k) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  double v = 0.1;
  if (t < k) v = s[t] * s[t + k / 2];
  __syncthreads();
  if (t <= k) v += s[t] * s[t + k];
  __syncthreads();
  if (t < k) v *= s[t] + s[t + 2 * k - 3];
  y[i] = v;
}

// A loop without a barrier.
__global__ void window(const double *x, double *y, int width) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  double v = 0.1;
  for (int j = 0; j < width; ++j)
    if (t < 32) v = 0.5 * v * s[t + j] + s[t + j] * x[i];
  y[i] = v;
}

// A barrier that not every iteration comes to.
__global__ void sometimes(const double *x, double *y, int rounds) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, k = 32;
  s[t] = x[i];
  __syncthreads();
  double v = 0.1;
  for (int r = 0; r < rounds; ++r) {
    if (t < k) v = 0.5 * v + s[t] * s[t + k];
    if (r % 2 == 1) __syncthreads();
    k /= 2;
  }
  y[i] = v;
}

// Different branches.
__global__ void two_guards(const double *x, double *y, int k) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  double v = 0.1;
  if (t < k) v = s[t] * x[i];
  if (t < k + 2) v += s[t + k] * v;
  if (t >= k) v += s[t - k];
  y[i] = v;
}

// One thread reads what others have.
__global__ void one_and_all(const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  double v = s[t] * x[i];
  if (t == 0) v += s[3] * s[0];
  if (t == 1) v += s[3] * s[2];
  y[i] = v;
}

// Signs that change where numbers are compared.
__global__ void below_zero(const double *x, double *y, int k) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  double v = 0.1;
  if (t >= -k && threadIdx.x < k) v = s[t] * s[t + k];
  y[i] = v;
}

// Warps that go different ways, one of which waits within itself.
__global__ void warps_apart(const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  double v = 0.1;
  if (t < 32) {
    v = x[i];
    __syncwarp();
    v *= s[t + 32];
  } else {
    v = s[t] * x[i];
  }
  y[i] = v;
}

// Each load is of elements that threads have for themselves, and all three of the same: the block waits in between.
__global__ void mirrored(const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  double v = s[t] * s[63 - t];
  if (gridDim.x > 1) v += sin(s[t] * s[63 - t]) * s[t];
  y[i] = v * v;
}

// How far apart two elements are is an unsigned number that was a signed one, or depends on the thread.
__global__ void by_distance(const double *x, double *y, int n) {
  __shared__ double s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  unsigned half = (unsigned)(n / 2);
  s[t] = x[i];
  s[t + 64] = x[i] * x[i];
  __syncthreads();
  if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x] * s[threadIdx.x + half];
  __syncthreads();
  if (threadIdx.x < (threadIdx.x ^ 3u)) s[threadIdx.x] += s[threadIdx.x + 64] * s[threadIdx.x + 65];
  __syncthreads();
  y[i] = s[t] * s[t];
}
