// Lanes of a warp that work together: shuffles, votes, matches; masks, segments, lanes that have left.
#define FULL 0xffffffffu

__device__ double warp_sum(double v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(FULL, v, offset);
  return v;
}
template <typename T>
__device__ __forceinline__ T warp_sum_everywhere(T v) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(FULL, v, mask);
  return v;
}
__device__ double warp_max(double v) {
  for (int offset = 16; offset > 0; offset >>= 1) v = fmax(v, __shfl_xor_sync(FULL, v, offset));
  return v;
}

// The tail of the block adds zero.
__global__ void sum_per_warp(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] * x[i] : 0.0;
  v = warp_sum(v);
  if ((threadIdx.x & 31) == 0) y[i / 32] = v * v;
}

__global__ void dot_with_stride(const double *x, const double *w, double *total, int n) {
  double v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i] * w[i];
  v = warp_sum(v);
  if (threadIdx.x % warpSize == 0) atomicAdd(total, v);
}

__global__ void normalised(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] : 0.0f;
  float length = sqrtf(warp_sum_everywhere(v * v));
  if (i < n) y[i] = v / length;
}

// One warp per row: lanes stride over the columns.
__global__ void softmax_rows(const double *x, double *y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const double *from = x + row * columns;
  double most = -1e300;
  for (int c = lane; c < columns; c += 32) most = fmax(most, from[c]);
  most = warp_max(most);
  double sum = 0;
  for (int c = lane; c < columns; c += 32) sum += exp(from[c] - most);
  sum = warp_sum_everywhere(sum);
  for (int c = lane; c < columns; c += 32) y[row * columns + c] = exp(from[c] - most) / sum;
}

// An inclusive scan, over the warp and over segments of eight.
__global__ void scanned(const double *x, double *y, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = x[i], u = x[i] * x[i];
  for (int d = 1; d < 32; d *= 2) {
    double other = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += other;
  }
  for (int d = 1; d < width; d *= 2) {
    double other = __shfl_up_sync(FULL, u, d, width);
    if (lane % width >= d) u *= other;
  }
  y[i] = v * u;
}

__global__ void broadcast_first(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i] * x[i];
  double first = __shfl_sync(FULL, v, 0);
  double of_segment = __shfl_sync(FULL, x[i], 3, 8);
  y[i] = v * first + of_segment * of_segment;
}

// A row of a grid is a warp: neighbours to the left and right by shifting, lanes at the edges keep their own.
__global__ void stencil(const double *x, double *y, int rows) {
  int column = threadIdx.x, row = blockIdx.x;
  double here = x[row * 32 + column];
  double up = row > 0 ? x[(row - 1) * 32 + column] : here;
  double left = __shfl_up_sync(FULL, here, 1), right = __shfl_down_sync(FULL, here, 1);
  y[row * 32 + column] = left * right + here * up - 4 * here;
}

__global__ void segments_of_eight(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i] * x[i];
  for (int offset = 4; offset; offset /= 2) v += __shfl_down_sync(FULL, v, offset, 8);
  float w = __shfl_xor_sync(FULL, v, 12, 8);  // reaches into the segment before
  y[i] = v * w;
}

// Every lane says for itself whom it reads.
__global__ void gathered(const double *x, const int *from, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = sin(x[i]);
  double a = __shfl_sync(FULL, v, from[lane]);
  double b = __shfl_sync(FULL, v, from[lane], 16);
  double c = __shfl_down_sync(FULL, v, lane % 3);
  double d = __shfl_up_sync(FULL, v, lane % 5, 16);
  double e = __shfl_xor_sync(FULL, v, lane % 2);
  y[i] = a * b + c * d * v + e * e;
}

__global__ void integers_too(const double *x, const int *keys, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int key = __shfl_sync(FULL, keys[i], (lane + 1) % 32);
  unsigned below = __shfl_up_sync(FULL, (unsigned)keys[i], 1);
  long long wide = __shfl_xor_sync(FULL, (long long)keys[i] << 33, 5);
  y[i] = x[key % 32] * x[i] + below * x[i] + (double)(wide >> 33) * x[i] * x[i];
}

// The shuffled number is made of numbers that a loop changes.
__global__ void rounds(const double *x, double *y, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] : 1.0;
  for (int r = 0; r < rounds; ++r) {
    double left = __shfl_up_sync(FULL, v, 1), right = __shfl_down_sync(FULL, v, 1);
    v = 0.5 * v + 0.25 * sin(left * right);
  }
  if (i < n) y[i] = v;
}

__global__ void nested_rounds(const double *x, double *y, int outer) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i], s = 0;
  for (int r = 0; r < outer; ++r) {
    double u = v;
    for (int offset = 16; offset > 0; offset >>= 1) u = u * 0.7 + __shfl_xor_sync(FULL, u, offset) * v;
    s += u * v;
    v = cos(u);
  }
  y[i] = s;
}

// Threads that have returned are in no mask.
__global__ void tail_has_left(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i] * x[i];
  v *= __shfl_xor_sync(FULL, v, 1);
  y[i] = sin(v) * x[i];
}

__global__ void mask_by_ballot(const double *x, double *y, double scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  unsigned mask = __ballot_sync(FULL, i < n);
  if (i < n) {
    double v = scale * x[i];
    for (int offset = 16; offset > 0; offset /= 2) {
      double other = __shfl_down_sync(mask, v, offset);
      if (lane + offset < __popc(mask)) v += other * x[i];
    }
    y[i] = v;
  }
}

// Lanes go different ways, and meet again in each.
__global__ void two_ways(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = x[i];
  if (lane < 12) {
    v = v * __shfl_sync(0xfff, v, 5);
    if (lane < 4) v += __shfl_xor_sync(0xf, v, 1) * v;
  } else {
    double above = __shfl_up_sync(0xfffff000, v, 2);
    v = sin(lane < 14 ? 0.5 : above) * v;  // the two below are not among them
  }
  y[i] = v * __shfl_sync(FULL, v, 7);
}

// Each lane runs as often as it likes; those that are still there meet.
__global__ void unequal_trips(const double *x, const int *trips, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = trips[i];
  double v = x[i];
  unsigned mask = __ballot_sync(FULL, 0 < mine);
  for (int k = 0; k < mine; ++k) {
    double sum = v;
    int leader = __ffs(mask) - 1;
    sum = 0.3 * v * v + __shfl_sync(mask, v, leader);
    v = sin(sum) + x[i];
    mask = __ballot_sync(mask, k + 1 < mine);
  }
  y[i] = v;
}

__global__ void rest_has_returned(const double *x, const int *trips, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = x[i];
  y[i] = 0;
  for (int k = 0;; ++k) {
    if (k == trips[i]) return;
    v = 0.5 * v + sin(__shfl_xor_sync(FULL, v, 0) * x[i]);
    y[i] = v * (lane + 1);
  }
}

// Goes on until all lanes have converged.
__global__ void until_all_agree(const double *x, double *y, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i];
  for (int k = 0; k < most; ++k) {
    double next = 0.5 * (v + x[i] / v);
    bool done = fabs(next - v) < 1e-3;
    v = next;
    if (__all_sync(FULL, done)) break;
  }
  y[i] = v;
}

__global__ void while_any_works(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i], s = 0;
  while (__any_sync(FULL, v > 0.1)) {
    if (v > 0.1) {
      s += v * v;
      v *= 0.5 * x[i];
    }
    s += 0.01 * __shfl_xor_sync(FULL, v, 1);
  }
  y[i] = s;
}

// What passes a test is written without gaps.
__global__ void compacted(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keeps = i < n && x[i] > 0.5;
  unsigned kept = __ballot_sync(FULL, keeps);
  int at = __popc(kept & ((1u << lane) - 1));
  if (keeps) y[i - lane + at] = x[i] * x[i] * __popc(kept);
}

__global__ void by_key(const double *x, const int *keys, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, same = 0;
  unsigned peers = __match_any_sync(FULL, keys[i]);
  unsigned all = __match_all_sync(FULL, keys[i] >= 0, &same);
  double v = x[i] * x[i];
  double leader = __shfl_sync(peers, v, __ffs(peers) - 1);
  y[i] = v * leader * (same ? 1.5 : 2.5) + __popc(all) * v;
}

__global__ void reduced_integers(const double *x, const int *keys, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = __reduce_add_sync(FULL, keys[i]), most = __reduce_max_sync(FULL, keys[i]);
  unsigned bits = __reduce_or_sync(FULL, 1u << keys[i] % 8);
  y[i] = x[i] * x[i] * sum + x[most % 32] * __popc(bits);
}

// A struct whose members are moved one by one; the argument of the best lane.
struct Best {
  double value;
  int at;
};
__device__ Best better(Best a, Best b) { return a.value > b.value ? a : b; }
__global__ void best_of_warp(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Best best = {x[i] * x[i], (int)(threadIdx.x % 32)};
  for (int d = 16; d > 0; d >>= 1) {
    Best other = {__shfl_xor_sync(FULL, best.value, d), __shfl_xor_sync(FULL, best.at, d)};
    best = better(best, other);
  }
  y[i] = best.value * x[i] + best.at;
}

// A lane chooses what it offers.
__global__ void chosen_values(const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = __shfl_xor_sync(FULL, lane % 3 == 0 ? x[i] * w[i] : w[i], 3);
  double u = 0;
  for (int k = 0; k < 4; ++k) u += __shfl_sync(FULL, x[i] * (k + 1), k * 5 % 32) * w[i];
  y[i] = v * u;
}

// The first warp of a block goes on alone.
__global__ void first_warp(const double *x, double *y, double *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = warp_sum_everywhere(x[i]);
  if (threadIdx.x / 32 == 0) {
    double s = warp_sum(v * x[i]);
    if (threadIdx.x == 0) z[2 * blockIdx.x] = s;
  } else {
    double s = warp_sum(v * v * x[i]);
    if (threadIdx.x == 32) z[2 * blockIdx.x + 1] = s;
  }
  y[i] = v;
}

// How many are here is asked once, however often the loop's iterations are run again.
__global__ void present(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i];
  for (int k = 0; k < 3; ++k) v = sin(v) * __popc(__activemask()) / 32 + x[i];
  y[i] = v * v;
}
