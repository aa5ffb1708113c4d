// Warps that put together what each has found, through shared memory.
#define FULL 0xffffffffu

__inline__ __device__ double warp_sum(double v) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(FULL, v, offset);
  return v;
}

__inline__ __device__ double block_sum(double v) {
  static __shared__ double partial[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  v = warp_sum(v);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  v = (threadIdx.x < blockDim.x / warpSize) ? partial[lane] : 0.0;
  if (warp == 0) v = warp_sum(v);
  return v;
}

__global__ void sum_of_block(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] * x[i] : 0.0;
  v = block_sum(v);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}

// A row per block: mean and variance, then every element.
__global__ void layer_norm(const double *x, const double *gain, const double *bias, double *y, int columns) {
  __shared__ double partial[8];
  __shared__ double mean, scale;
  const double *row = x + blockIdx.x * columns;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  double sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += row[c];
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(FULL, sum, o);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    double total = 0;
    for (int w = 0; w < warps; ++w) total += partial[w];
    mean = total / columns;
  }
  __syncthreads();
  double squares = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) squares += (row[c] - mean) * (row[c] - mean);
  for (int o = 16; o > 0; o >>= 1) squares += __shfl_xor_sync(FULL, squares, o);
  if (lane == 0) partial[warp] = squares;
  __syncthreads();
  if (warp == 0) {
    double total = lane < warps ? partial[lane] : 0.0;
    for (int o = 4; o > 0; o >>= 1) total += __shfl_down_sync(FULL, total, o);
    if (lane == 0) scale = 1.0 / sqrt(total / columns + 1e-5);
  }
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    y[blockIdx.x * columns + c] = (row[c] - mean) * scale * gain[c] + bias[c];
}

// The block goes on in turns until no thread finds anything to do; some have left before.
__global__ void tail_and_barriers(const double *x, double *y, int n) {
  __shared__ double tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.5;
  __syncthreads();
  if (i >= n) return;
  double v = tile[(threadIdx.x + 7) % blockDim.x];
  v = v * __shfl_xor_sync(FULL, v, 1) + __shfl_up_sync(FULL, v, 2);
  y[i] = v * v;
}

// Each warp has a part of the tile to itself, and waits for no other.
__global__ void tile_of_a_warp(const double *x, double *y, int rounds) {
  __shared__ double tile[2][33];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  double v = x[i];
  for (int r = 0; r < rounds; ++r) {
    tile[warp][lane] = v * x[i];
    __syncwarp();
    double other = tile[warp][(lane + 5) % 32];
    v = sin(v * other) + tile[warp][31 - lane];
    __syncwarp();
  }
  y[i] = v;
}

__global__ void tree_of_a_warp(const double *x, double *y, int n) {
  __shared__ double sums[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double *mine = sums + threadIdx.x / 32 * 32;
  mine[lane] = i < n ? exp(x[i]) : 0.0;
  __syncwarp();
  for (int s = 16; s > 0; s /= 2) {
    if (lane < s) mine[lane] += mine[lane + s];
    __syncwarp();
  }
  if (i < n) y[i] = exp(x[i]) / mine[0];
}

// The lanes that are left exchange numbers.
__global__ void some_of_a_warp(const double *x, double *y, int n) {
  __shared__ double tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = x[i] * x[i];
  __syncwarp();
  double v = tile[threadIdx.x ^ 1];
  __syncwarp();
  tile[threadIdx.x] = v * x[i];
  __syncwarp();
  y[i] = tile[threadIdx.x ^ 1] * v;
}

// Through the memory of an argument.
__global__ void through_global_memory(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i];
  __syncwarp();
  double other = y[i ^ 3];
  __syncwarp();
  y[i] = other * x[i];
}

// Nobody reads what lanes overwrite, or add to: the order of their adjoints is that of the barrier all the same.
__global__ void overwritten_by_another_lane(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = sin(x[i]);
  __syncwarp();
  if (threadIdx.x % 32 < 16) y[i ^ 31] = x[i] * x[i];
}

__global__ void added_to_by_another_lane(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = sin(x[i]);
  __syncwarp();
  atomicAdd(&y[i ^ 31], x[i] * x[i]);
}

__global__ void overwritten_in_turn(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % 32;
  for (int k = 0; k < n; ++k) {
    y[i - lane + (lane + k) % 32] = x[i] * x[i] * k;
    __syncwarp();
  }
}

// A function that is called reads what another lane has stored.
__device__ double total_of_lanes(const double *row, int lane, int left) {
  return left == 0 ? 0.0 : row[lane] * row[lane] + total_of_lanes(row, (lane + 1) % 32, left - 1);
}

__global__ void read_by_a_call(const double *x, double *squares, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % 32;
  squares[i] = x[i] * x[i];
  __syncwarp();
  y[i] = total_of_lanes(squares + (i - lane), (lane + 1) % 32, 3);
}
