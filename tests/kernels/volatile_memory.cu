// Volatile memory where threads wait for each other: ordinary memory.

__global__ void by_the_block(const double *x, double *y) {
  volatile __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i] * x[i];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0] * s[0];
}

__device__ void sum_of_warp(volatile double *s, int t) {
  double v = s[t];
  for (int k = 16; k > 0; k /= 2) {
    v += s[t + k];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
}

__global__ void by_the_warp(const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = sin(x[i]);
  s[t + 32] = 0.0;
  __syncwarp();
  sum_of_warp(s, t);
  if (t == 0) y[blockIdx.x] = s[0] * s[0];
}

// A sum that compilers must not rearrange.
__global__ void compensated(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0, lost = 0.0;
  for (int k = 0; k <= i; ++k) {
    double term = x[k] * x[k] - lost;
    volatile double next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  y[i] = sum;
}

// What stands between the threads that store and those that load is said in many ways.
__global__ void in_other_words(const double *x, double *y, int n) {
  volatile __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  bool upper = t >= 16;
  s[t] = x[i] * x[i];
  __syncthreads();
  if (!upper) s[t] += s[t + 16];
  __syncthreads();
  if (t < 8 && n > 0) s[t] += s[t] * s[t + 8];
  __syncthreads();
  if (4 > t) s[t] += sin(s[t + 4]);
  __syncthreads();
  if (2 <= t) {
    y[i] = x[i] * x[i];
  } else {
    s[t] += s[t] * s[t + 2];
    y[i] = s[t];
  }
}

// Each thread has elements of its own, in planes one above the other.
__global__ void planes(volatile double *p, const volatile double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i] += x[i] * x[i];
    p[i + n] += p[i] * x[i + n];
    p[i] = 0;
  }
}

struct Cell {
  double now, last;
  __device__ double both(double w) const volatile { return now * w + last; }
};

__global__ void volatile_objects(const volatile Cell *x, volatile Cell *y, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  y[i].now = x[i].both(x[i].now) * y[i].last;
  y[i].last *= y[i].now;
}

// What a thread loads in one branch and stores in another is its own.
__global__ void in_two_branches(const double *x, double *sums, int n) {
  __shared__ volatile double s[64];
  int t = threadIdx.x;
  double v = t < n ? sums[t] : 0.0;
  s[t] = v * x[t];
  __syncthreads();
  double before = t > 0 ? s[t - 1] : 1.0;
  if (t < n) sums[t] = before * before * v;
}

__global__ void in_two_branches_of_blocks(const double *x, volatile double *sums, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  double v = 0.0;
  if (i < n) v = sums[i] * x[i];
  if (i < n && x[i] > 0.5) sums[i] = v * v;
}
