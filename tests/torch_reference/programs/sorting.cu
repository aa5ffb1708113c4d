// Sorted rows, the largest few of a row, and what lies in the middle.
#include <math.h>

__device__ void order(float &a, float &b) {
  float low = fminf(a, b), high = fmaxf(a, b);
  a = low;
  b = high;
}
__device__ void order_if(double &a, double &b) {
  if (a > b) {
    double t = a;
    a = b;
    b = t;
  }
}

// Odd and even neighbours in turn, by a thread.
__global__ void transposition(const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float v[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = x[row * 8 + i];
#pragma unroll
  for (int round = 0; round < 8; ++round)
#pragma unroll
    for (int i = round & 1; i < 7; i += 2) order(v[i], v[i + 1]);
#pragma unroll
  for (int i = 0; i < 8; ++i) y[row * 8 + i] = v[i];
}
__global__ void transposition_swaps(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double v[8];
  for (int i = 0; i < n; ++i) v[i] = x[row * n + i];
  for (int round = 0; round < n; ++round)
    for (int i = round & 1; i + 1 < n; i += 2) order_if(v[i], v[i + 1]);
  for (int i = 0; i < n; ++i) y[row * n + i] = v[i];
}
// Batcher's network over shared memory, a thread for each pair.
__global__ void bitonic(const float *x, float *y, int n) {
  __shared__ float v[8];
  int t = threadIdx.x;
  if (t < n) v[t] = x[blockIdx.x * n + t];
  __syncthreads();
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      int other = t ^ j;
      if (t < n && other > t) {
        float a = v[t], b = v[other];
        bool up = (t & k) == 0;
        v[t] = up ? fminf(a, b) : fmaxf(a, b);
        v[other] = up ? fmaxf(a, b) : fminf(a, b);
      }
      __syncthreads();
    }
  if (t < n) y[blockIdx.x * n + t] = v[t];
}
// The same by shuffles, eight lanes for each row.
__global__ void bitonic_lanes(const float *x, float *y, int rows) {
  int lane = threadIdx.x % 8, row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  float v = row < rows ? x[row * 8 + lane] : 0.0f;
  for (int k = 2; k <= 8; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      float other = __shfl_xor_sync(0xffffffffu, v, j, 8);
      bool up = (lane & k) == 0, low = (lane & j) == 0;
      v = up == low ? fminf(v, other) : fmaxf(v, other);
    }
  if (row < rows) y[row * 8 + lane] = v;
}
__global__ void insertion(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float v[8];
  for (int i = 0; i < n; ++i) {
    float key = x[row * n + i];
    int k = i - 1;
    while (k >= 0 && v[k] > key) {
      v[k + 1] = v[k];
      --k;
    }
    v[k + 1] = key;
  }
  for (int i = 0; i < n; ++i) y[row * n + i] = v[i];
}
// Where each number belongs, by counting those before it.
__global__ void by_rank(const float *x, float *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  const float *row = x + blockIdx.x * n;
  int rank = 0;
  for (int k = 0; k < n; ++k) rank += row[k] < row[i] || (row[k] == row[i] && k < i);
  y[blockIdx.x * n + rank] = row[i];
}

// The three largest, kept sorted.
__global__ void top_three(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float a = -INFINITY, b = -INFINITY, c = -INFINITY;
  for (int i = 0; i < n; ++i) {
    float v = x[row * n + i];
    if (v > a) {
      c = b;
      b = a;
      a = v;
    } else if (v > b) {
      c = b;
      b = v;
    } else if (v > c) {
      c = v;
    }
  }
  y[row * 3] = a;
  y[row * 3 + 1] = b;
  y[row * 3 + 2] = c;
}
__global__ void top_three_network(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < n; ++i) {
    float v = x[row * n + i];
    for (int k = 0; k < 3; ++k) {
      float high = fmaxf(best[k], v);
      v = fminf(best[k], v);
      best[k] = high;
    }
  }
  for (int k = 0; k < 3; ++k) y[row * 3 + k] = best[k];
}
// The two largest by a warp: each lane has its own two, which are merged.
__global__ void top_two_warp(const float *x, float *y, int n) {
  float a = -INFINITY, b = -INFINITY;
  for (int i = threadIdx.x; i < n; i += 32) {
    float v = x[blockIdx.x * n + i];
    b = fmaxf(b, fminf(a, v));
    a = fmaxf(a, v);
  }
  for (int k = 16; k > 0; k >>= 1) {
    float other_a = __shfl_down_sync(0xffffffffu, a, k), other_b = __shfl_down_sync(0xffffffffu, b, k);
    b = fmaxf(fminf(a, other_a), fmaxf(b, other_b));
    a = fmaxf(a, other_a);
  }
  if (threadIdx.x == 0) {
    y[blockIdx.x * 2] = a;
    y[blockIdx.x * 2 + 1] = b;
  }
}
// How far the largest is above the next.
__global__ void margin(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float a = x[row * n], b = -INFINITY;
  for (int i = 1; i < n; ++i) {
    float v = x[row * n + i];
    if (v > a) {
      b = a;
      a = v;
    } else {
      b = fmaxf(b, v);
    }
  }
  y[row] = a - b;
}
__global__ void median_of_three(const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float a = x[row * 3], b = x[row * 3 + 1], c = x[row * 3 + 2];
  y[row] = fmaxf(fminf(a, b), fminf(fmaxf(a, b), c));
}
// A filter of windows of five, as for images.
__global__ void median_filter(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 4) return;
  float v[5];
  for (int k = 0; k < 5; ++k) v[k] = x[i + k];
  for (int a = 0; a < 3; ++a)
    for (int b = a + 1; b < 5; ++b) order(v[a], v[b]);
  y[i] = v[2];
}
// Sums of sorted rows, weighted: as ordered weighted averages are.
__global__ void ordered_average(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double v[8], sum = 0;
  for (int i = 0; i < n; ++i) v[i] = x[row * n + i];
  for (int i = 0; i < n; ++i)
    for (int k = 0; k + 1 < n - i; ++k) {
      double low = fmin(v[k], v[k + 1]), high = fmax(v[k], v[k + 1]);
      v[k] = low;
      v[k + 1] = high;
    }
  for (int i = 0; i < n; ++i) sum += v[i] * (i + 1);
  y[row] = sum;
}
