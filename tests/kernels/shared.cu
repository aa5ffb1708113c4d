// Shared memory and barriers.

__global__ void tree(const double *x, double *out, int n) {
  __shared__ double s[64];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? x[i] * x[i] : 0.0;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

const int TILE = 4;

__global__ void tiled_product(const double *A, const double *B, double *C, int n) {
  __shared__ double a[TILE][TILE], b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  double acc = 0.0;
  for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
    int ca = t * TILE + tx, rb = t * TILE + ty;
    a[ty][tx] = row < n && ca < n ? A[row * n + ca] : 0.0;
    if (rb < n && col < n)
      b[ty][tx] = B[rb * n + col];
    else
      b[ty][tx] = 0.0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) acc += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) C[row * n + col] = acc;
}

__global__ void stepping(const double *before, double *after, int steps) {
  __shared__ double u[34], v[34];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
  u[t] = before[i];
  if (threadIdx.x == 0) {
    u[0] = 0.1;
    u[blockDim.x + 1] = 0.2;
  }
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    v[t] = u[t] + 0.1 * (u[t - 1] * u[t - 1] - 2 * u[t] * u[t + 1] + sin(u[t + 1]));
    __syncthreads();
    u[t] = v[t];
    __syncthreads();
  }
  after[i] = u[t];
}

__global__ void softmax(const double *x, double *y, int n) {
  __shared__ double s[32];
  __shared__ double top, sum;
  int tid = threadIdx.x;
  const double *row = x + blockIdx.x * n;
  double m = -1e300;
  for (int i = tid; i < n; i += blockDim.x) m = fmax(m, row[i]);
  s[tid] = m;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (tid < k) s[tid] = fmax(s[tid], s[tid + k]);
    __syncthreads();
  }
  if (tid == 0) top = s[0];
  __syncthreads();
  double p = 0.0;
  for (int i = tid; i < n; i += blockDim.x) p += exp(row[i] - top);
  s[tid] = p;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid == 0) sum = s[0];
  __syncthreads();
  for (int i = tid; i < n; i += blockDim.x) y[blockIdx.x * n + i] = exp(row[i] - top) / sum;
}

// Threads leave before the barriers.
__global__ void early_return(const double *x, double *y, int n) {
  __shared__ double s[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double scale = x[i] * 2.0;
  s[threadIdx.x] = x[i];
  __syncthreads();
  double left = threadIdx.x > 0 ? s[threadIdx.x - 1] : 1.0;
  y[i] = left * scale;
  __syncthreads();
  const double &mine = s[threadIdx.x];
  s[threadIdx.x] = mine * left;
  __syncthreads();
  y[i] += s[threadIdx.x / 2] * mine;
}

// And before loops and branches around barriers.
__global__ void early_return_and_loops(const double *x, double *y, int n, int steps) {
  __shared__ double s[33];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  s[t] = x[i];
  if (i == n - 1 || t == blockDim.x - 1) s[t + 1] = 0.5;
  __syncthreads();
  int reps = steps + blockIdx.x;
  for (int k = 0; k < reps; ++k) {
    double right = s[t + 1];
    __syncthreads();
    s[t] = sin(s[t]) + 0.3 * right * right;
    if (steps > 2) {
      __syncthreads();
      s[t] *= 1.1;
    }
    __syncthreads();
  }
  if (reps > 2) {
    double other = s[t ^ 1];
    __syncthreads();
    if (t % 3 == 1) return;
    s[t] = other * s[t];
    __syncthreads();
  }
  y[i] = s[t];
}

// A thread that gives up in the middle of a loop that the others go on with.
__global__ void leaves_in_loop(const double *x, double *y, int n, int steps) {
  __shared__ double s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.25;
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
    double next = s[(t + 1) % blockDim.x];
    __syncthreads();
    s[t] = next * next + 0.1;
    sum += next * s[t];
    if (i >= n || (t == 3 && k == 1)) return;
    __syncthreads();
  }
  if (i < n) y[i] = sum;
}

__device__ double block_sum(double value, double *scratch) {
  scratch[threadIdx.x] = value;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) scratch[threadIdx.x] += scratch[threadIdx.x + k];
    __syncthreads();
  }
  double sum = scratch[0];
  __syncthreads();
  return sum;
}

__device__ double block_mean(double value) {
  __shared__ double inner[32];
  return block_sum(value, inner) / blockDim.x;
}

__global__ void layer_norm(const double *x, const double *gain, const double *shift, double *y) {
  __shared__ double scratch[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double mean = block_sum(x[i], scratch) / blockDim.x;
  double centered = x[i] - mean;
  double variance = block_mean(centered * centered);
  y[i] = centered * rsqrt(variance + 1e-5) * gain[threadIdx.x] + shift[threadIdx.x] * block_mean(centered * y[i]);
}

struct Moments {
  double sum, square;
  int count;
};

__global__ void moments(const double *x, double *y, int n) {
  __shared__ Moments m[32];
  __shared__ Moments all;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  m[t] = {0.0, 0.0, 0};
  if (i < n) {
    m[t].sum = x[i];
    m[t].square = x[i] * x[i];
    m[t].count = 1;
  }
  __syncthreads();
  if (t == 0) {
    Moments total = {0.0, 0.0, 0};
    for (int k = 0; k < blockDim.x; ++k) {
      total.sum += m[k].sum;
      total.square += m[k].square;
      total.count += m[k].count;
    }
    all = total;
  }
  __syncthreads();
  if (i < n) y[i] = (x[i] - all.sum / all.count) / sqrt(all.square);
}

// Two-dimensional broadcasts and shifts.
__global__ void plane_of_shared(const double *x, const double *w, double *y) {
  __shared__ double tile[6][6], row[4], column[4];
  int tx = threadIdx.x, ty = threadIdx.y;
  int i = blockIdx.x * 16 + ty * 4 + tx;
  tile[ty + 1][tx + 1] = x[i];
  if (ty == 0) {
    tile[0][tx + 1] = 0.3;
    tile[5][tx + 1] = 0.4;
    row[tx] = w[tx];
  }
  if (tx == 0) {
    tile[ty + 1][0] = 0.1;
    tile[ty + 1][5] = 0.2;
    column[ty] = w[ty] * w[ty];
  }
  __syncthreads();
  y[i] = tile[ty + 1][tx + 1] * (tile[ty][tx + 1] - tile[ty + 2][tx + 1]) + row[tx] * column[ty] * tile[ty + 1][tx] +
         cos(tile[ty + 1][tx + 2]);
}

// All threads store the same value to one element.
__global__ void same_value(const double *x, double *y) {
  __shared__ double s[8], one;
  int t = threadIdx.x;
  one = x[0] * x[1];
  s[t / 8] = x[t / 8] * x[t / 8];
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = one * s[t / 8] * x[t];
}

// Sums in shared memory by atomics, which the result is divided by.
__global__ void shared_atomics(const double *x, double *y, int *count, int n) {
  __shared__ double sum;
  __shared__ int seen;
  if (threadIdx.x == 0) {
    sum = 0.5;
    seen = 0;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&sum, x[i] * x[i]);
    atomicAdd(&seen, 1);
  }
  __syncthreads();
  if (i < n) y[i] = x[i] * seen / sum;
  if (threadIdx.x == 0) count[blockIdx.x] = seen;
}

__global__ void counted(const double *x, double *y, int n, double limit) {
  __shared__ double s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0;
  int above = __syncthreads_count(s[t] > limit);
  double v = s[(t + above) % blockDim.x];
  int rounds = 0;
  while (__syncthreads_or(s[t] > 0.4) && rounds < 6) {
    s[t] = s[t] > 0.4 ? s[t] * s[t] * 0.9 : s[t];
    ++rounds;
    if (__syncthreads_and(s[t] < 0.2)) break;
  }
  if (i < n) y[i] = v * s[t] * above + rounds * v;
}

// The tile is used twice in every iteration, and again after the loop.
__global__ void reused(const double *x, double *y, int n) {
  __shared__ double tile[32];
  int t = threadIdx.x;
  double sum = 0.0;
  for (int base = 0; base < n; base += blockDim.x) {
    tile[t] = base + t < n ? x[base + t] : 0.0;
    __syncthreads();
    double other = tile[(t + 5) % blockDim.x];
    __syncthreads();
    tile[t] = other * other;
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += tile[(t + k) % blockDim.x] * other;
    __syncthreads();
  }
  tile[t] = sum;
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = tile[blockDim.x - 1 - t] * sum;
}

// What an iteration leaves is read by the next.
__global__ void left_by_the_last(const double *x, double *y, int rounds) {
  __shared__ double s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  double sum = 0.0;
  for (int r = 0; r < rounds; ++r) {
    double v = s[(t + 1) % blockDim.x] * s[t];
    __syncthreads();
    if (t % 2 == r % 2) s[t] = v;
    __syncthreads();
    sum += s[t] * v;
  }
  y[blockIdx.x * blockDim.x + t] = sum;
}

// Two threads store the same to an element, and one of them takes its adjoint.
__global__ void stored_by_two(const double *x, double *y, int n) {
  __shared__ double s[16];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t / 2] = sin(x[i / 2]);
  __syncthreads();
  if (i < n) y[i] = s[t / 2] * s[(t / 2 + 5) % 16];
}

__global__ void stored_by_rows(const double *x, double *y) {
  __shared__ double s[8];
  int t = threadIdx.x, i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + t;
  s[t] = sin(x[t]);
  __syncthreads();
  y[i] = s[t] * s[(t + 3) % 8];
}
