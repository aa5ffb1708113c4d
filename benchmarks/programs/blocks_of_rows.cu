// Rows that the threads of a block share in memory of the block: a scan, a loss over classes, and means that are merged.

// Running sums of each row, tile by tile: sums of pairs upwards, then what lies between them, and what came before the tile.
template <int Threads, int Rows>
__global__ void running_sums(float *y, const float *x, int rows, int columns) {
  __shared__ float tile[Rows][2 * Threads];
  const int t = threadIdx.x;
  float *own = tile[threadIdx.y];
  for (int first = blockIdx.x * Rows; first < rows; first += gridDim.x * Rows) {
    const int row = first + threadIdx.y;
    float before = 0.0f;
    for (int column = 0; column < columns; column += 2 * Threads) {
      const int one = column + t, other = one + Threads;
      if (row < rows) {
        own[t] = one < columns ? x[row * columns + one] : 0.0f;
        own[t + Threads] = other < columns ? x[row * columns + other] : 0.0f;
        if (t == 0) own[0] += before;
      }
      __syncthreads();
      for (int s = Threads, d = 1; s >= 1; s >>= 1, d <<= 1) {
        if (row < rows && t < s) {
          const int at = (2 * t + 1) * d - 1;
          own[at + d] = own[at] + own[at + d];
        }
        __syncthreads();
      }
      for (int s = 2, d = Threads / 2; d >= 1; s <<= 1, d >>= 1) {
        if (row < rows && t < s - 1) {
          const int at = 2 * (t + 1) * d - 1;
          own[at + d] = own[at] + own[at + d];
        }
        __syncthreads();
      }
      if (row < rows) {
        if (one < columns) y[row * columns + one] = own[t];
        if (other < columns) y[row * columns + other] = own[t + Threads];
      }
      before = own[2 * Threads - 1];
      __syncthreads();
    }
  }
}

// Cross entropy with smoothed labels, a block for each row, whose threads take four numbers at a time.
struct larger {
  __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
struct added {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct exponentials {
  float most;
  __device__ float operator()(float sum, float v) const { return sum + expf(v - most); }
};

template <int Together, class R>
__device__ float by_thread(const float *row, int classes, const R &r, float value) {
  int offset = threadIdx.x;
  const int left = classes % (Together * blockDim.x);
  float taken[Together];
  for (; offset < classes - left; offset += blockDim.x * Together) {
#pragma unroll
    for (int j = 0; j < Together; ++j) taken[j] = row[offset + j * blockDim.x];
#pragma unroll
    for (int j = 0; j < Together; ++j) value = r(value, taken[j]);
  }
  for (; offset < classes; offset += blockDim.x) value = r(value, row[offset]);
  return value;
}

template <class R>
__device__ float by_block(float *shared, float value, const R &r, float nothing) {
  __syncthreads();
  shared[threadIdx.x] = value;
  __syncthreads();
  const int warps = blockDim.x / 32;
  if (threadIdx.x < warps) {
    float own = nothing;
#pragma unroll
    for (int i = 0; i < 32; ++i) own = r(own, shared[threadIdx.x * 32 + i]);
    __syncwarp((1u << warps) - 1u);
    shared[threadIdx.x] = own;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = nothing;
    for (int i = 0; i < warps; ++i) all = r(all, shared[i]);
    shared[0] = all;
  }
  __syncthreads();
  return shared[0];
}

__global__ void smoothed_loss(float *losses, const float *x, const int *labels, int classes, float smoothing) {
  extern __shared__ float shared[];
  x += blockIdx.x * classes;
  const float most = by_block(shared, by_thread<4>(x, classes, larger(), -3e38f), larger(), -3e38f);
  const float sum = by_block(shared, by_thread<4>(x, classes, added(), 0.0f), added(), 0.0f);
  const float all = by_block(shared, by_thread<4>(x, classes, exponentials{most}, 0.0f), added(), 0.0f);
  if (threadIdx.x == 0) {
    const float entropy = most + logf(all);
    losses[blockIdx.x] = entropy - (1.0f - smoothing) * x[labels[blockIdx.x]] - smoothing * sum / classes;
  }
}

// Rows of mean zero and variance one, by means and squares that are merged: Welford's and Chan's. A warp for each row.
__device__ void met(float v, float &mean, float &squares, float &count) {
  count = count + 1.0f;
  const float delta = v - mean;
  mean = mean + delta / count;
  squares = squares + delta * (v - mean);
}
__device__ void merged(float other, float others, float many, float &mean, float &squares, float &count) {
  const float delta = other - mean, before = count;
  count = count + many;
  if (count > 0.0f) {
    const float a = before / count, b = many / count;
    mean = a * mean + b * other;
    squares = squares + others + delta * delta * a * b * count;
  } else {
    mean = 0.0f;
    squares = 0.0f;
  }
}
__global__ void merged_means(float *y, const float *x, int rows, int columns, float epsilon) {
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += gridDim.x * blockDim.y) {
    const float *own = x + row * columns;
    float mean = 0.0f, squares = 0.0f, count = 0.0f;
    for (int i = 4 * threadIdx.x; i + 3 < columns; i += 128)
      for (int k = 0; k < 4; ++k) met(own[i + k], mean, squares, count);
    for (int l = 0; l < 5; ++l) {
      const int from = (threadIdx.x + (1 << l)) & 31;
      const float other = __shfl_sync(0xffffffffu, mean, from);
      const float many = __shfl_sync(0xffffffffu, count, from);
      const float others = __shfl_sync(0xffffffffu, squares, from);
      merged(other, others, many, mean, squares, count);
    }
    mean = __shfl_sync(0xffffffffu, mean, 0);
    const float variance = __shfl_sync(0xffffffffu, squares / columns, 0);
    const float scale = rsqrtf(variance + epsilon);
    for (int i = threadIdx.x; i < columns; i += 32) y[row * columns + i] = scale * (own[i] - mean);
  }
}

template __global__ void running_sums<16, 8>(float *, const float *, int, int);
