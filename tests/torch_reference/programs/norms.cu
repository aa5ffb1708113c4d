// Norms, normalisation, distances and moments of rows.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <math.h>
namespace cg = cooperative_groups;

#define FULL 0xffffffffu

__device__ float warp_sum(float v) {
  for (int k = 16; k > 0; k >>= 1) v += __shfl_xor_sync(FULL, v, k);
  return v;
}
__device__ float warp_max(float v) {
  for (int k = 16; k > 0; k >>= 1) v = fmaxf(v, __shfl_xor_sync(FULL, v, k));
  return v;
}
__device__ float block_sum(float v) {
  __shared__ float parts[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warp_sum(v);
  __syncthreads();
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = lane < blockDim.x / 32 ? parts[lane] : 0.0f;
  return warp_sum(v);
}

// ---- norms of rows -----------------------------------------------------------------------------------------------------

template <class T>
__global__ void l1_thread(const T *x, T *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T sum = 0;
  for (int i = 0; i < n; ++i) sum += fabs(x[row * n + i]);
  y[row] = sum;
}
__global__ void l1_warp(const float *x, float *y, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += x[blockIdx.x * n + i] < 0.0f ? -x[blockIdx.x * n + i] : x[blockIdx.x * n + i];
  sum = warp_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
template <class T>
__global__ void l2_thread(const T *x, T *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T sum = 0;
  for (int i = 0; i < n; ++i) sum += x[row * n + i] * x[row * n + i];
  y[row] = sqrt(sum);
}
__global__ void l2_block(const float *x, float *y, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum = fmaf(x[blockIdx.x * n + i], x[blockIdx.x * n + i], sum);
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sqrtf(sum);
}
__global__ void l2_guarded(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += x[row * n + i] * x[row * n + i];
  y[row] = sum > 0.0f ? sqrtf(sum) : 0.0f;
}
// Scaled by the largest, so that nothing overflows.
__global__ void l2_scaled(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(x[row * n + i]));
  if (largest == 0) {
    y[row] = 0;
    return;
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (x[row * n + i] / largest) * (x[row * n + i] / largest);
  y[row] = largest * sqrt(sum);
}
__global__ void inf_thread(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float m = 0.0f;
  for (int i = 0; i < n; ++i) m = fmaxf(m, fabsf(x[row * n + i]));
  y[row] = m;
}
__global__ void inf_warp(const float *x, float *y, int n) {
  float m = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) m = fmaxf(m, fabsf(x[blockIdx.x * n + i]));
  m = warp_max(m);
  if (threadIdx.x == 0) y[blockIdx.x] = m;
}
__global__ void inf_groups(const float *x, float *y, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float m = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) {
    float a = fabsf(x[blockIdx.x * n + i]);
    m = a > m ? a : m;
  }
  m = cg::reduce(warp, m, cg::greater<float>());
  if (warp.thread_rank() == 0) y[blockIdx.x] = m;
}
__global__ void l3(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += powf(fabsf(x[row * n + i]), 3.0f);
  y[row] = powf(sum, 1.0f / 3.0f);
}

// ---- rows that are normalised ------------------------------------------------------------------------------------------

__global__ void normalize_thread(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[row * n + i] * x[row * n + i];
  double norm = fmax(sqrt(sum), 1e-12);
  for (int i = 0; i < n; ++i) y[row * n + i] = x[row * n + i] / norm;
}
__global__ void normalize_warp(const float *x, float *y, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += x[blockIdx.x * n + i] * x[blockIdx.x * n + i];
  float norm = fmaxf(sqrtf(warp_sum(sum)), 1e-12f);
  for (int i = threadIdx.x; i < n; i += 32) y[blockIdx.x * n + i] = x[blockIdx.x * n + i] / norm;
}
__global__ void normalize_l1(const float *x, float *y, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += fabsf(x[blockIdx.x * n + i]);
  sum = fmaxf(warp_sum(sum), 1e-12f);
  for (int i = threadIdx.x; i < n; i += 32) y[blockIdx.x * n + i] = x[blockIdx.x * n + i] / sum;
}
__global__ void normalize_inf(const float *x, float *y, int n) {
  float m = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) m = fmaxf(m, fabsf(x[blockIdx.x * n + i]));
  float scale = 1.0f / fmaxf(warp_max(m), 1e-12f);
  for (int i = threadIdx.x; i < n; i += 32) y[blockIdx.x * n + i] = x[blockIdx.x * n + i] * scale;
}
__global__ void min_max_scaled(const float *x, float *y, int n) {
  float low = INFINITY, high = -INFINITY;
  for (int i = threadIdx.x; i < n; i += 32) {
    low = fminf(low, x[blockIdx.x * n + i]);
    high = fmaxf(high, x[blockIdx.x * n + i]);
  }
  for (int k = 16; k > 0; k >>= 1) {
    low = fminf(low, __shfl_xor_sync(FULL, low, k));
    high = fmaxf(high, __shfl_xor_sync(FULL, high, k));
  }
  for (int i = threadIdx.x; i < n; i += 32) y[blockIdx.x * n + i] = (x[blockIdx.x * n + i] - low) / (high - low + 0.25f);
}

__global__ void layer_norm_thread(const double *x, const double *w, const double *b, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double mean = 0, variance = 0;
  for (int i = 0; i < n; ++i) mean += x[row * n + i];
  mean /= n;
  for (int i = 0; i < n; ++i) variance += (x[row * n + i] - mean) * (x[row * n + i] - mean);
  double scale = 1 / sqrt(variance / n + 1e-5);
  for (int i = 0; i < n; ++i) y[row * n + i] = (x[row * n + i] - mean) * scale * w[i] + b[i];
}
__global__ void layer_norm_warp(const float *x, const float *w, const float *b, float *y, int rows, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float mean = 0.0f, variance = 0.0f;
  for (int i = lane; i < n; i += 32) mean += x[row * n + i];
  mean = warp_sum(mean) / n;
  for (int i = lane; i < n; i += 32) variance += (x[row * n + i] - mean) * (x[row * n + i] - mean);
  float scale = rsqrtf(warp_sum(variance) / n + 1e-5f);
  for (int i = lane; i < n; i += 32) y[row * n + i] = (x[row * n + i] - mean) * scale * w[i] + b[i];
}
// The variance from the sum of squares, which rounding may bring below zero.
__global__ void layer_norm_block(const float *x, const float *w, const float *b, float *y, int n) {
  __shared__ float mean, scale;
  float sum = 0.0f, squares = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float v = x[blockIdx.x * n + i];
    sum += v;
    squares += v * v;
  }
  sum = block_sum(sum);
  squares = block_sum(squares);
  if (threadIdx.x == 0) {
    mean = sum / n;
    scale = rsqrtf(fmaxf(squares / n - mean * mean, 0.0f) + 1e-5f);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = (x[blockIdx.x * n + i] - mean) * scale * w[i] + b[i];
}
__global__ void layer_norm_half2(const __half2 *x, const __half2 *w, const __half2 *b, __half2 *y, int n) {
  int pairs = n / 2;
  float sum = 0.0f, squares = 0.0f;
  for (int i = threadIdx.x; i < pairs; i += 32) {
    float2 v = __half22float2(x[blockIdx.x * pairs + i]);
    sum += v.x + v.y;
    squares += v.x * v.x + v.y * v.y;
  }
  float mean = warp_sum(sum) / n;
  float scale = rsqrtf(warp_sum(squares) / n - mean * mean + 1e-5f);
  for (int i = threadIdx.x; i < pairs; i += 32) {
    float2 v = __half22float2(x[blockIdx.x * pairs + i]), g = __half22float2(w[i]), s = __half22float2(b[i]);
    y[blockIdx.x * pairs + i] = __floats2half2_rn((v.x - mean) * scale * g.x + s.x, (v.y - mean) * scale * g.y + s.y);
  }
}
__global__ void rms_norm_warp(const float *x, const float *w, float *y, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += x[blockIdx.x * n + i] * x[blockIdx.x * n + i];
  float scale = rsqrtf(warp_sum(sum) / n + 1e-5f);
  for (int i = threadIdx.x; i < n; i += 32) y[blockIdx.x * n + i] = w[i] * (x[blockIdx.x * n + i] * scale);
}
__global__ void rms_norm_float4(const float4 *x, const float4 *w, float4 *y, int n) {
  int quarter = n / 4;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < quarter; i += blockDim.x) {
    float4 v = x[blockIdx.x * quarter + i];
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  float scale = rsqrtf(block_sum(sum) / n + 1e-5f);
  for (int i = threadIdx.x; i < quarter; i += blockDim.x) {
    float4 v = x[blockIdx.x * quarter + i], g = w[i];
    y[blockIdx.x * quarter + i] = make_float4(v.x * scale * g.x, v.y * scale * g.y, v.z * scale * g.z, v.w * scale * g.w);
  }
}
// A block for each channel of a batch.
__global__ void batch_norm(const float *x, const float *w, const float *b, float *y, int rows, int n) {
  int c = blockIdx.x;
  float sum = 0.0f;
  for (int row = threadIdx.x; row < rows; row += blockDim.x) sum += x[row * n + c];
  float mean = block_sum(sum) / rows;
  float squares = 0.0f;
  for (int row = threadIdx.x; row < rows; row += blockDim.x) squares += (x[row * n + c] - mean) * (x[row * n + c] - mean);
  float scale = 1.0f / sqrtf(block_sum(squares) / rows + 1e-5f);
  for (int row = threadIdx.x; row < rows; row += blockDim.x) y[row * n + c] = w[c] * (x[row * n + c] - mean) * scale + b[c];
}
// Groups of channels that lie together; `size` numbers in each.
__global__ void group_norm(const double *x, double *y, int rows, int n, int groups) {
  int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= rows * groups) return;
  int size = n / groups;
  const double *in = x + group * size;
  double mean = 0, square = 0;
  for (int i = 0; i < size; ++i) {
    mean += in[i];
    square += in[i] * in[i];
  }
  mean /= size;
  double variance = fmax(square / size - mean * mean, 0.0);
  for (int i = 0; i < size; ++i) y[group * size + i] = (in[i] - mean) * rsqrt(variance + 1e-5);
}

__global__ void variance_welford(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double mean = 0, m2 = 0;
  for (int i = 0; i < n; ++i) {
    double delta = x[row * n + i] - mean;
    mean += delta / (i + 1);
    m2 += delta * (x[row * n + i] - mean);
  }
  y[row] = m2 / (n - 1);
}
__global__ void variance_warp(const float *x, float *y, int n) {
  float sum = 0.0f, squares = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += x[blockIdx.x * n + i];
  float mean = warp_sum(sum) / n;
  for (int i = threadIdx.x; i < n; i += 32) squares += (x[blockIdx.x * n + i] - mean) * (x[blockIdx.x * n + i] - mean);
  squares = warp_sum(squares);
  if (threadIdx.x == 0) y[blockIdx.x] = squares / (n - 1);
}
__global__ void deviation(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float mean = 0.0f, sum = 0.0f;
  for (int i = 0; i < n; ++i) mean += x[row * n + i] / n;
  for (int i = 0; i < n; ++i) sum += (x[row * n + i] - mean) * (x[row * n + i] - mean);
  y[row] = sqrtf(sum / (n - 1));
}

__global__ void deviation_guarded(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float mean = 0.0f, sum = 0.0f;
  for (int i = 0; i < n; ++i) mean += x[row * n + i] / n;
  for (int i = 0; i < n; ++i) sum += (x[row * n + i] - mean) * (x[row * n + i] - mean);
  if (sum > 0.0f) sum = sqrtf(sum / (n - 1));
  y[row] = sum;
}

// ---- two rows ----------------------------------------------------------------------------------------------------------

__global__ void cosine_thread(const double *a, const double *b, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double dot = 0, aa = 0, bb = 0;
  for (int i = 0; i < n; ++i) {
    dot += a[row * n + i] * b[row * n + i];
    aa += a[row * n + i] * a[row * n + i];
    bb += b[row * n + i] * b[row * n + i];
  }
  y[row] = dot / (fmax(sqrt(aa), 1e-8) * fmax(sqrt(bb), 1e-8));
}
__global__ void cosine_warp(const float *a, const float *b, float *y, int n) {
  float dot = 0.0f, aa = 0.0f, bb = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) {
    float u = a[blockIdx.x * n + i], v = b[blockIdx.x * n + i];
    dot += u * v;
    aa += u * u;
    bb += v * v;
  }
  dot = warp_sum(dot);
  aa = warp_sum(aa);
  bb = warp_sum(bb);
  if (threadIdx.x == 0) y[blockIdx.x] = dot * rsqrtf(fmaxf(aa, 1e-16f)) * rsqrtf(fmaxf(bb, 1e-16f));
}
template <int P, class T>
__global__ void distances(const T *a, const T *b, T *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= rows || j >= rows) return;
  T found = 0;
  for (int k = 0; k < n; ++k) {
    T d = a[i * n + k] - b[j * n + k];
    if (P == 1) found += fabs(d);
    if (P == 2) found += d * d;
    if (P == 0) found = fmax(found, fabs(d));
  }
  y[i * rows + j] = P == 2 ? sqrt(found) : found;
}
__global__ void guarded_distances(const float *a, const float *b, float *y, int rows, int n) {
  int i = threadIdx.x, j = threadIdx.y;
  if (i >= rows || j >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    float d = a[i * n + k] - b[j * n + k];
    sum = fmaf(d, d, sum);
  }
  y[i * rows + j] = sum == 0.0f ? 0.0f : sqrtf(sum);
}
// Of the points of one set from each other, with their squares by a tile.
__global__ void squared_distances(const float *x, float *y, int rows, int n) {
  __shared__ float tile[8][9];
  int i = threadIdx.y, j = threadIdx.x;
  if (i < rows && j < n) tile[i][j] = x[i * n + j];
  __syncthreads();
  if (i >= rows || j >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += (tile[i][k] - tile[j][k]) * (tile[i][k] - tile[j][k]);
  y[i * rows + j] = sum;
}
__global__ void gaussian_of_distances(const float *x, float *y, int rows, int n) {
  int i = threadIdx.y, j = threadIdx.x;
  if (i >= rows || j >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += (x[i * n + k] - x[j * n + k]) * (x[i * n + k] - x[j * n + k]);
  y[i * rows + j] = expf(-0.5f * sum);
}
