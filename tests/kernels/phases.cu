// Kernels whose threads wait, in the forms that the host turns into loops over the threads of a block.

// Values that live over barriers in a loop, and an array of the thread's own.
__global__ void carried(int n, int turns, const double *x, double *y) {
  extern __shared__ double tile[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double v = i < n ? x[i] : 0.5, last[2] = {v, 1.0};
  for (int k = 0; k < turns; ++k) {
    tile[t] = v * last[k % 2];
    __syncthreads();
    last[k % 2] = v;
    v = sin(tile[(t + 1) % blockDim.x]) * v + 0.25 * last[1 - k % 2];
    __syncthreads();
  }
  if (i < n) y[i] = v * last[0];
}

// Lanes of a divided warp, which do different things.
__global__ void parted(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = i < n ? x[i] : 0.0;
  if (lane < 16) {
    for (int k = 8; k > 0; k >>= 1) v += __shfl_down_sync(0x0000ffffu, v, k, 16) * 0.5;
  } else {
    v *= __shfl_xor_sync(0xffff0000u, v, 5);
    if (__any_sync(0xffff0000u, v > 0.5)) v += 0.125 * v * v;
  }
  if (i < n) y[i] = v;
}

// Threads that leave before the others wait, and a warp that is not whole.
__global__ void left_early(int n, const double *x, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x;
  if (blockIdx.x * blockDim.x + t >= n) return;
  double v = x[blockIdx.x * blockDim.x + t];
  tile[t] = v * v;
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < 8; ++k) sum += tile[k] * v;
  y[blockIdx.x * blockDim.x + t] = sum * v;
}

// Blocks of two dimensions, and steps of as many elements as there are threads.
__global__ void planes(int rows, int columns, const double *x, const double *w, double *y) {
  __shared__ double sums[8][8];
  double sum = 0.0, square = 0.0;
  for (int r = threadIdx.y; r < rows; r += blockDim.y)
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
      sum += x[r * columns + c] * w[c];
      square += x[r * columns + c] * x[r * columns + c];
    }
  sums[threadIdx.y][threadIdx.x] = sum * square;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    double all = 0.0;
    for (int k = 0; k < blockDim.y; ++k)
      for (int j = 0; j < blockDim.x; ++j) all += sums[k][j];
    y[blockIdx.x] = all * (1.0 + blockIdx.x);
  }
}

// A row for each block, of any length, and how many of it are what they are: all threads come to the same answer.
__global__ void counted(int n, const double *x, double *y) {
  double sum = 0.0;
  for (int c = threadIdx.x; c < n; c += blockDim.x) sum += x[blockIdx.x * n + c] * x[blockIdx.x * n + c];
  for (int k = 16; k > 0; k >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, k);
  __shared__ double parts[32];
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  int large = __syncthreads_count(sum > 1.0);
  double all = 0.0;
  for (int k = 0; k < blockDim.x / 32; ++k) all += parts[k];
  double scale = large > 3 ? rsqrt(all + 1.0) : all;
  for (int c = threadIdx.x; c < n; c += blockDim.x) y[blockIdx.x * n + c] = x[blockIdx.x * n + c] * scale;
}

// Threads in parts of a row, of the grid and of the block, which are none of the same.
__global__ void divided(int n, int columns, const double *x, const double *w, double *y) {
  __shared__ double tile[40];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / 16, part = threadIdx.x >> 3, lane = threadIdx.x & 7;
  double v = 0.5;
  for (int c = i % 16; c < columns; c += 16) v += x[row * columns + c] * w[c] * v;
  tile[threadIdx.x] = v;
  __syncthreads();
  v *= tile[part * 8 + (lane + 3) % 8];
  if (i < n) y[i] = v * (part + 1) * x[row * columns + lane];
}

// Called as what the loops over threads are made of.
__global__ void called_so(int n, double _t_end, double _t_x, const double *_t_runs, double *_tapes) {
  __shared__ double _t[64];
  int _block_threads = blockIdx.x * blockDim.x + threadIdx.x;
  _t[threadIdx.x] = _block_threads < n ? _t_runs[_block_threads] * _t_end : 0.0;
  __syncthreads();
  if (_block_threads < n) _tapes[_block_threads] = _t[blockDim.x - 1 - threadIdx.x] * _t_x * _t_end;
}

// Threads that leave one after the other, with waits between.
__global__ void returns(int n, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t >= 50) return;
  s[t] = i < n ? x[i] : 1.0;
  __syncthreads();
  if (t >= 40) { y[i] = s[t] * s[t]; return; }
  double v = s[t] * s[t + 10];
  __syncthreads();
  s[t] = v;
  __syncthreads();
  if (t > 35) return;
  double w = s[35 - t] * v;
  __syncthreads();
  s[t] = w * w;
  __syncthreads();
  if (i < n) y[i] = s[35 - t] * w;
}

// What threads vote for decides whether they go on: all alike.
__global__ void voted(int n, const double *x, double *y) {
  __shared__ double s[48];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double v = x[i];
  for (int k = 0; k < 12; ++k) {
    s[t] = v;
    int c = __syncthreads_count(v > 0.2);
    if (c < 3) break;
    double u = s[(t * 7 + k) % blockDim.x];
    if (__syncthreads_or(u > 0.97)) { v *= 0.9; continue; }
    v = v * 0.7 + 0.2 * u * u;
    if (__syncthreads_and(v < 0.5)) v += 0.01 * u;
  }
  y[i] = v * v;
}

// Lanes by masks that they have voted for, in branches within each other.
__global__ void masks(int n, const double *x, double *y) {
  int t = threadIdx.x, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  double v = x[i];
  bool odd = lane & 1;
  unsigned m = __ballot_sync(0xffffffffu, odd);
  if (odd) { v += __shfl_xor_sync(m, v, 2) * v; if (lane < 16) v *= __shfl_sync(m & 0xffffu, v, 5); }
  else v *= __shfl_down_sync(~m, v, 4) + 0.5;
  __syncwarp();
  double u = __shfl_xor_sync(0xffffffffu, v, 1);
  y[i] = u * v;
}

// A mask that each phase makes again, of the thread's number, which nothing else of the phase asks for.
__global__ void remade(const double *x, double *y) {
  const int t = threadIdx.x;
  __shared__ double s[32];
  s[t] = x[t];
  __syncthreads();
  double v = s[(t + 1) % 32];
  const int turns = __shfl_sync(0xffffffffu, t, 0, 2) % 5;
  const unsigned pair = 3u << t / 2 * 2;
  for (int k = 0; k < turns; ++k) {
    const double w = __shfl_up_sync(pair, v, 1, 2);
    v = 0.7 * sin(v) + 0.25 * w * cos(w);
  }
  y[t] = v * s[t];
}
