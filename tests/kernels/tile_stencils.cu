// Tiles in shared memory that the block fills, with a halo, and that each thread reads around its own place.
#include <cooperative_groups.h>

__constant__ double taps[5];

// A filter along a line; outside of it there are zeros.
__global__ void along(const double *x, const double *w, double *y, int n) {
  __shared__ double tile[32 + 6];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  tile[t + 3] = i < n ? x[i] : 0.0;
  if (t < 3) {
    tile[t] = i >= 3 ? x[i - 3] : 0.0;
    tile[t + 35] = i + 32 < n ? x[i + 32] : 0.0;
  }
  __syncthreads();
  if (i < n) {
    double sum = 0.0;
    for (int j = 0; j < 7; ++j) sum += w[j] * tile[t + j] * tile[t + j];
    y[i] = sum;
  }
}

// The same written out, in what may be larger blocks than the tile has been made for, with neighbours on either side.
__global__ void written_out(const double *x, double *y, int n) {
  __shared__ double tile[258];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t + 1] = i < n ? x[i] : 0.0;
  if (t == 0) tile[0] = i > 0 && i <= n ? x[i - 1] : x[0];
  if (t == blockDim.x - 1) tile[t + 2] = i + 1 < n ? x[i + 1] : 0.0;
  __syncthreads();
  double mine = tile[t + 1], left = tile[t], right = tile[t + 2];
  if (i < n) y[i] = mine > 0.1 ? mine * (right - left) : left * left - 2.0 * mine * right;
}

// A window in a plane, whose border is repeated outside.
__global__ void window(const double *x, const double *w, double *y, int rows, int cols) {
  __shared__ double tile[10][18];
  int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 16 - 1, top = blockIdx.y * 8 - 1;
  for (int k = ty * 16 + tx; k < 180; k += 128) {
    int r = min(max(top + k / 18, 0), rows - 1), c = min(max(left + k % 18, 0), cols - 1);
    tile[k / 18][k % 18] = x[r * cols + c];
  }
  __syncthreads();
  double sum = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += w[i * 3 + j] * sin(tile[ty + i][tx + j] * tile[ty + 1][tx + 1]);
  int r = top + 1 + ty, c = left + 1 + tx;
  if (r < rows && c < cols) y[r * cols + c] = sum;
}

// Rows, then columns: of what lies between there are more rows than threads.
__global__ void separable(const double *a, const double *b, double *y, int rows, int cols) {
  __shared__ double tile[12][12][2];
  __shared__ double between[12][8][2];
  int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 8 - 2, top = blockIdx.y * 8 - 2;
  for (int channel = 0; channel < 2; ++channel) {
    const double *p = a + channel * rows * cols, *q = b + channel * rows * cols;
    for (int k = ty * 8 + tx; k < 144; k += 64) {
      int r = top + k / 12, c = left + k % 12;
      bool inside = r >= 0 && r < rows && c >= 0 && c < cols;
      tile[k / 12][k % 12][0] = inside ? p[r * cols + c] : 0.0;
      tile[k / 12][k % 12][1] = inside ? q[r * cols + c] : 0.0;
    }
    __syncthreads();
    for (int row = ty; row < 12; row += 8) {
      double first = 0.0, second = 0.0;
      for (int j = 0; j < 5; ++j) {
        first += taps[j] * tile[row][tx + j][0];
        second += taps[j] * tile[row][tx + j][0] * tile[row][tx + j][1];
      }
      between[row][tx][0] = first;
      between[row][tx][1] = second;
    }
    __syncthreads();
    double first = taps[2] * between[ty + 2][tx][0], second = taps[2] * between[ty + 2][tx][1];
    for (int j = 1; j <= 2; ++j) {
      first += taps[2 - j] * (between[ty + 2 - j][tx][0] + between[ty + 2 + j][tx][0]);
      second += taps[2 - j] * (between[ty + 2 - j][tx][1] + between[ty + 2 + j][tx][1]);
    }
    int r = top + 2 + ty, c = left + 2 + tx;
    if (r < rows && c < cols) y[channel * rows * cols + r * cols + c] = first * second / (1.0 + first * first);
    __syncthreads();
  }
}

// The same with the rest of the rows in a branch.
__global__ void second_row(const double *x, double *y, int rows, int cols) {
  __shared__ double tile[12][12];
  __shared__ double between[12][8];
  int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 8 - 2, top = blockIdx.y * 8 - 2;
  for (int k = ty * 8 + tx; k < 144; k += 64) {
    int r = top + k / 12, c = left + k % 12;
    tile[k / 12][k % 12] = r >= 0 && r < rows && c >= 0 && c < cols ? x[r * cols + c] : 0.0;
  }
  __syncthreads();
  double sum = taps[2] * tile[ty][tx + 2] * tile[ty][tx + 2];
  for (int j = 1; j <= 2; ++j) {
    double before = tile[ty][tx + 2 - j], behind = tile[ty][tx + 2 + j];
    sum += taps[2 - j] * (before * before + behind * behind);
  }
  between[ty][tx] = sum;
  if (ty < 4) {
    sum = taps[2] * tile[ty + 8][tx + 2] * tile[ty + 8][tx + 2];
    for (int j = 1; j <= 2; ++j) {
      double before = tile[ty + 8][tx + 2 - j], behind = tile[ty + 8][tx + 2 + j];
      sum += taps[2 - j] * (before * before + behind * behind);
    }
    between[ty + 8][tx] = sum;
  }
  __syncthreads();
  sum = 0.0;
  for (int j = 0; j < 5; ++j) sum += taps[j] * between[ty + j][tx];
  int r = top + 2 + ty, c = left + 2 + tx;
  if (r < rows && c < cols) y[r * cols + c] = sqrt(1.0 + sum);
}

// Two lines that are read in opposite directions, one of them at every other element.
__global__ void crossed(const double *a, const double *b, double *y) {
  __shared__ double p[32 + 8], q[32 + 4];
  auto block = cooperative_groups::this_thread_block();
  int t = block.thread_rank();
  for (int k = t; k < 40; k += 32) p[k] = a[blockIdx.x * 32 + k];
  for (int k = t; k < 36; k += 32) q[k] = b[blockIdx.x * 32 + k];
  block.sync();
  double sum = 0.0;
  for (int j = 0; j < 5; ++j) sum += p[t + 2 * j] * q[t + 4 - j];
  y[blockIdx.x * 32 + t] = sum;
}

// Backwards, and what is added depends on what the thread has found.
__global__ void backwards(const double *x, double *y, int n) {
  __shared__ double tile[36];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  for (int k = t; k < 36; k += 32) tile[35 - k] = blockIdx.x * 32 + k < n ? x[blockIdx.x * 32 + k] : 0.5;
  __syncthreads();
  double mine = tile[33 - t], sum = 0.0;
  if (mine > 0.3) {
    for (int j = 0; j < 5; ++j) {
      double other = tile[35 - t - j];
      if (j != 2) sum += other > 0.7 ? mine * other * other : -other;
    }
  } else {
    sum = tile[35 - t] + tile[31 - t] * mine;
  }
  if (i < n) y[i] = sum;
}

// Rows of sixteen that may be read beyond their end: blocks of up to fourteen threads along x have places of their own.
__global__ void in_rows(const double *x, double *y) {
  __shared__ double tile[16 * 4 + 2];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * blockDim.x + tx;
  for (int k = t; k < 66; k += blockDim.x * blockDim.y) tile[k] = x[blockIdx.x * 66 + k];
  __syncthreads();
  double sum = 0.0;
  for (int j = 0; j < 3; ++j) sum += (j + 1) * tile[16 * ty + tx + j] * tile[16 * ty + tx + j];
  y[(blockIdx.x * blockDim.y + ty) * blockDim.x + tx] = sum;
}

// One row of threads reads the tile: what it has found is not the row's of all.
__global__ void one_row(const double *x, double *y) {
  __shared__ double tile[4][16], found[8];
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int k = tx; k < 16; k += 8) tile[ty][k] = x[ty * 16 + k];
  __syncthreads();
  if (ty == 1) {
    double sum = 0.0;
    for (int j = 0; j < 5; ++j) sum += tile[ty][tx + j] * tile[ty][tx + j];
    found[tx] = sum;
  }
  __syncthreads();
  y[ty * 8 + tx] = found[tx] * found[7 - tx];
}
