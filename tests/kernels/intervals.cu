// Who stores an element of shared memory changes from one barrier to the next.

// In one interval an element is a thread's, in the next it is another's; then both read it.
__global__ void changes_hands(const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, last = blockDim.x - 1;
  s[t] = x[i] * x[i];
  __syncthreads();
  double product = s[t] * s[last - t];
  __syncthreads();
  s[last - t] = product * x[i];
  __syncthreads();
  y[i] = s[t] + product;
}

// The same element of an iteration is stored behind a barrier, and read at its end and at the beginning of the next.
__global__ void around_the_loop(const double *x, double *y, int rounds) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, n = blockDim.x;
  s[t] = x[i];
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < rounds; ++k) {
    double v = s[(t + k) % n];
    __syncthreads();
    s[(t + k) % n] = 0.5 * v * v + 0.1 * x[i];
    __syncthreads();
    sum += s[(t + k) % n] * v;
  }
  y[i] = sum;
}

__global__ void moving_window(const double *x, double *y, int rounds) {
  __shared__ double s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  s[t + 64] = x[i] * x[i];
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < rounds; ++k) {
    double v = s[t + k];
    __syncthreads();
    s[t + k] = sin(v) + 0.1 * x[i];
    __syncthreads();
    sum += s[t + k] * v;
  }
  y[i] = sum;
}

// Even threads store in one interval, odd ones in the next.
__global__ void in_turn(const double *x, double *y) {
  __shared__ double s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t % 2 == 0) s[t / 2] = x[i];
  __syncthreads();
  double v = 0.0;
  if (t % 2 == 0) v = s[t / 2] * x[i];
  __syncthreads();
  if (t % 2 == 1) s[t / 2] = x[i] * x[i];
  __syncthreads();
  if (t % 2 == 0) v += s[t / 2];
  if (t % 2 == 1) v = s[t / 2] * x[i];
  y[i] = v;
}

// In global memory, within a block.
__global__ void in_global_memory(const double *x, double *work, double *y) {
  int t = threadIdx.x, first = blockIdx.x * blockDim.x, i = first + t, j = first + blockDim.x - 1 - t;
  work[i] = x[i] * x[i];
  __syncthreads();
  double v = work[i] * work[j];
  __syncthreads();
  work[j] = sin(v) * x[i];
  __syncthreads();
  y[i] = work[i] * v;
}

// Lanes of a warp wait for each other without a barrier of the block.
__global__ void in_a_warp(const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, j = t ^ 31;
  s[t] = x[i];
  __syncwarp();
  double v = s[t] * s[j];
  __syncwarp();
  s[j] = v * x[i];
  __syncwarp();
  y[i] = s[t] * v;
}
