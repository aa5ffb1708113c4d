// Arrays in shared memory of which threads meet in some elements and not in others.

// Sums of pairs upwards, then what lies between them: each thread has its own pair in each step, in rows of a block.
// All threads of a row read the last element.
template <int N, int Rows>
__global__ void running_sums(const double *x, double *y, int rows, int columns) {
  __shared__ double tile[Rows][2 * N];
  const int t = threadIdx.x, row = blockIdx.x * Rows + threadIdx.y;
  double *own = tile[threadIdx.y];
  double before = 0.0;
  for (int column = 0; column < columns; column += 2 * N) {
    const int one = column + t, other = one + N;
    if (row < rows) {
      own[t] = one < columns ? x[row * columns + one] : 0.0;
      own[t + N] = other < columns ? x[row * columns + other] * x[row * columns + other] : 0.0;
      if (t == 0) own[0] += before;
    }
    __syncthreads();
    for (int s = N, d = 1; s >= 1; s >>= 1, d <<= 1) {
      if (row < rows && t < s) {
        const int at = (2 * t + 1) * d - 1;
        own[at + d] = own[at] + own[at + d];
      }
      __syncthreads();
    }
    for (int s = 2, d = N / 2; d >= 1; s <<= 1, d >>= 1) {
      if (row < rows && t < s - 1) {
        const int at = 2 * (t + 1) * d - 1;
        own[at + d] = own[at] + own[at + d];
      }
      __syncthreads();
    }
    if (row < rows) {
      if (one < columns) y[row * columns + one] = own[t];
      if (other < columns) y[row * columns + other] = own[t + N];
    }
    before = own[2 * N - 1];
    __syncthreads();
  }
}

// The steps reach into each other's: a pair begins where the one before ends.
__global__ void overlapping(const double *x, double *y) {
  __shared__ double s[64];
  const int t = threadIdx.x;
  s[t] = x[t] * x[t];
  s[t + 32] = x[t] * 0.5;
  __syncthreads();
  double sum = 0.0;
  for (int k = 16, d = 1; k >= 1; k >>= 1, d <<= 1) {
    if (t < k) sum += s[t * d] * s[t * d + d];
    __syncthreads();
  }
  y[t] = sum;
}

// Products by rows of 32, by as many lanes of the first warp as there are warps, which wait for each other.
__device__ double product(double *shared, double value) {
  __syncthreads();
  shared[threadIdx.x] = value;
  __syncthreads();
  const int warps = blockDim.x / 32;
  if (threadIdx.x < warps) {
    double own = 1.0;
    for (int i = 0; i < 32; ++i) own *= shared[threadIdx.x * 32 + i];
    __syncwarp((1u << warps) - 1u);
    shared[threadIdx.x] = own;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    double all = 1.0;
    for (int i = 0; i < warps; ++i) all *= shared[i];
    shared[0] = all;
  }
  __syncthreads();
  return shared[0];
}
__global__ void products(const double *x, double *y) {
  extern __shared__ double shared[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double all = product(shared, 1.0 + 0.1 * x[i]);
  const double again = product(shared, 1.0 + 0.1 * sin(x[i]) * all);
  y[i] = again * x[i];
}

// The same by threads of several warps: those of two warps meet.
__global__ void by_many(const double *x, double *y, int many) {
  extern __shared__ double s[];
  const int t = threadIdx.x;
  s[t] = x[t] * x[t];
  __syncthreads();
  double sum = 0.0;
  if (t < many) {
    for (int i = 0; i < 4; ++i) sum += s[(t + i) % many] * x[t];
  }
  __syncthreads();
  if (t < many) s[t] = sum;
  __syncthreads();
  y[t] = s[t] * x[t];
}

// Loops of a few steps in one that is long: what they keep is there until they are reversed.
__global__ void merged(const double *x, double *y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  double mean = 0.0, squares = 0.0, count = 0.0;
  for (int i = 0; i < n; i += 3)
    for (int k = 0; k < 3; ++k) {
      const double v = x[row * n + i + k];
      count += 1.0;
      const double delta = v - mean;
      mean += delta / count;
      squares += delta * (v - mean) * sin(mean);
    }
  for (int l = 2; l < 6; ++l) {
    const double other = squares / (l + mean * mean);
    if (other > 0.1) squares = squares * other;
    mean = mean * 0.9 + sin(squares);
  }
  y[row] = squares + mean;
}
