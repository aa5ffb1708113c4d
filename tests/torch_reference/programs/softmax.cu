// Softmax and its relatives, a row of x at a time: by a thread, a warp, a group, or a block for each row.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
namespace cg = cooperative_groups;

#define FULL 0xffffffffu

struct Fmax { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };
struct Chosen { __device__ float operator()(float a, float b) const { return a > b ? a : b; } };
struct Std { __device__ float operator()(float a, float b) const { return max(a, b); } };
struct ByIf {
  __device__ float operator()(float a, float b) const {
    if (b > a) a = b;
    return a;
  }
};

template <class Op>
__device__ float warp_xor(float v, Op op) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) v = op(v, __shfl_xor_sync(FULL, v, mask));
  return v;
}

__device__ float warp_sum(float v) {
  for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(FULL, v, mask);
  return v;
}

__device__ float warp_max_down(float v) {
  for (int step = 16; step > 0; step /= 2) v = fmaxf(v, __shfl_down_sync(FULL, v, step));
  return __shfl_sync(FULL, v, 0);
}

__device__ float warp_sum_down(float v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(FULL, v, step);
  return __shfl_sync(FULL, v, 0);
}

template <class T>
__global__ void softmax_thread(const T *x, T *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const T *in = x + row * n;
  T *out = y + row * n;
  T m = in[0];
  for (int i = 1; i < n; i++) m = in[i] > m ? in[i] : m;
  T sum = 0;
  for (int i = 0; i < n; i++) {
    out[i] = exp(in[i] - m);
    sum += out[i];
  }
  for (int i = 0; i < n; i++) out[i] /= sum;
}

__global__ void softmax_thread_if(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    double m = -INFINITY;
    for (int i = 0; i < n; i++)
      if (x[row * n + i] > m) m = x[row * n + i];
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += exp(x[row * n + i] - m);
    for (int i = 0; i < n; i++) y[row * n + i] = exp(x[row * n + i] - m) / sum;
  }
}

__global__ void softmax_online(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float m = -INFINITY, d = 0.0f;
  for (int i = 0; i < n; ++i) {
    float v = x[row * n + i];
    float larger = fmaxf(m, v);
    d = d * expf(m - larger) + expf(v - larger);
    m = larger;
  }
  for (int i = 0; i < n; ++i) y[row * n + i] = expf(x[row * n + i] - m) / d;
}

// Every thread of a row looks for the maximum on its own, from its own place on.
__global__ void softmax_everyone(const float *x, float *y, int n) {
  int i = threadIdx.x;
  const float *row = x + blockIdx.x * n;
  if (i >= n) return;
  float m = row[i];
  for (int k = 1; k < n; ++k) m = fmaxf(m, row[(i + k) % n]);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += expf(row[k] - m);
  y[blockIdx.x * n + i] = expf(row[i] - m) / sum;
}

template <class Op>
__global__ void softmax_warp(const float *x, float *y, int rows, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  Op op;
  float m = -INFINITY;
  for (int i = lane; i < n; i += 32) m = op(m, x[row * n + i]);
  m = warp_xor(m, op);
  float sum = 0.0f;
  for (int i = lane; i < n; i += 32) sum += __expf(x[row * n + i] - m);
  sum = warp_sum(sum);
  for (int i = lane; i < n; i += 32) y[row * n + i] = __expf(x[row * n + i] - m) / sum;
}

__global__ void softmax_warp_down(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  float m = -INFINITY;
  for (int i = lane; i < n; i += 32) m = fmaxf(m, x[row * n + i]);
  m = warp_max_down(m);
  float sum = 0.0f;
  for (int i = lane; i < n; i += 32) sum += expf(x[row * n + i] - m);
  sum = warp_sum_down(sum);
  float scale = 1.0f / sum;
  for (int i = lane; i < n; i += 32) y[row * n + i] = expf(x[row * n + i] - m) * scale;
}

__global__ void softmax_tree(const float *x, float *y, int n) {
  __shared__ float cache[64];
  const float *in = x + blockIdx.x * n;
  float m = -INFINITY;
  for (int i = threadIdx.x; i < n; i += blockDim.x) m = fmaxf(m, in[i]);
  cache[threadIdx.x] = m;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) cache[threadIdx.x] = fmaxf(cache[threadIdx.x], cache[threadIdx.x + s]);
    __syncthreads();
  }
  m = cache[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += expf(in[i] - m);
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  sum = cache[0];
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = expf(in[i] - m) / sum;
}

// Warps first, then the first warp over what the warps have found.
__global__ void softmax_block(const float *x, float *y, int n) {
  __shared__ float found[32];
  __shared__ float shared_max, shared_sum;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  const float *in = x + blockIdx.x * n;
  float m = -3.402823466e38f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) m = fmaxf(m, in[i]);
  m = warp_xor(m, Fmax());
  if (lane == 0) found[warp] = m;
  __syncthreads();
  if (warp == 0) {
    m = lane < warps ? found[lane] : -3.402823466e38f;
    m = warp_xor(m, Fmax());
    if (lane == 0) shared_max = m;
  }
  __syncthreads();
  m = shared_max;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += expf(in[i] - m);
  sum = warp_sum(sum);
  if (lane == 0) found[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < warps ? found[lane] : 0.0f;
    sum = warp_sum(sum);
    if (lane == 0) shared_sum = sum;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = expf(in[i] - m) / shared_sum;
}

__global__ void softmax_groups(const float *x, float *y, int rows, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  const float *in = x + row * n;
  float m = -INFINITY;
  for (int i = warp.thread_rank(); i < n; i += warp.size()) m = fmaxf(m, in[i]);
  m = cg::reduce(warp, m, cg::greater<float>());
  float sum = 0.0f;
  for (int i = warp.thread_rank(); i < n; i += warp.size()) sum += expf(in[i] - m);
  sum = cg::reduce(warp, sum, cg::plus<float>());
  for (int i = warp.thread_rank(); i < n; i += warp.size()) y[row * n + i] = expf(in[i] - m) / sum;
}

// Eight lanes for each row.
__global__ void softmax_tiles(const float *x, float *y, int rows, int n) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  bool there = row < rows;
  float m = -INFINITY;
  if (there)
    for (int i = tile.thread_rank(); i < n; i += 8) m = fmaxf(m, x[row * n + i]);
  for (int k = tile.size() / 2; k > 0; k /= 2) m = fmaxf(m, tile.shfl_xor(m, k));
  float sum = 0.0f;
  if (there)
    for (int i = tile.thread_rank(); i < n; i += 8) sum += expf(x[row * n + i] - m);
  for (int k = tile.size() / 2; k > 0; k /= 2) sum += tile.shfl_xor(sum, k);
  if (there)
    for (int i = tile.thread_rank(); i < n; i += 8) y[row * n + i] = expf(x[row * n + i] - m) / sum;
}

__global__ void softmax_float4(const float4 *x, float4 *y, int rows, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int quarter = n / 4;
  const float4 *in = x + row * quarter;
  float m = -INFINITY;
  for (int i = lane; i < quarter; i += 32) {
    float4 v = in[i];
    m = fmaxf(m, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
  }
  m = warp_xor(m, Fmax());
  float sum = 0.0f;
  for (int i = lane; i < quarter; i += 32) {
    float4 v = in[i];
    sum += expf(v.x - m) + expf(v.y - m) + expf(v.z - m) + expf(v.w - m);
  }
  float scale = 1.0f / warp_sum(sum);
  for (int i = lane; i < quarter; i += 32) {
    float4 v = in[i];
    y[row * quarter + i] =
        make_float4(expf(v.x - m) * scale, expf(v.y - m) * scale, expf(v.z - m) * scale, expf(v.w - m) * scale);
  }
}

__global__ void softmax_half(const __half *x, __half *y, int rows, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float m = -INFINITY;
  for (int i = lane; i < n; i += 32) m = fmaxf(m, __half2float(x[row * n + i]));
  m = warp_xor(m, Fmax());
  float sum = 0.0f;
  for (int i = lane; i < n; i += 32) sum += expf(__half2float(x[row * n + i]) - m);
  sum = warp_sum(sum);
  for (int i = lane; i < n; i += 32) y[row * n + i] = __float2half(expf(__half2float(x[row * n + i]) - m) / sum);
}

// In half precision from beginning to end, two numbers at a time.
__global__ void softmax_half2(const __half2 *x, __half2 *y, int n) {
  int lane = threadIdx.x, pairs = n / 2;
  __half2 v = lane < pairs ? x[blockIdx.x * pairs + lane] : __float2half2_rn(-INFINITY);
  __half m = __hmax(__low2half(v), __high2half(v));
  for (int k = 16; k > 0; k >>= 1) m = __hmax(m, __shfl_xor_sync(FULL, m, k));
  __half2 e = h2exp(__hsub2(v, __half2half2(m)));
  float sum = __low2float(e) + __high2float(e);
  sum = warp_sum(sum);
  if (lane < pairs) y[blockIdx.x * pairs + lane] = __h2div(e, __float2half2_rn(sum));
}

__global__ void softmax_bfloat(const __nv_bfloat16 *x, __nv_bfloat16 *y, int n) {
  int lane = threadIdx.x;
  __nv_bfloat16 m = lane < n ? x[blockIdx.x * n + lane] : __float2bfloat16(-INFINITY);
  __nv_bfloat16 v = m;
  for (int k = 16; k > 0; k >>= 1) m = __hmax(m, __shfl_xor_sync(FULL, m, k));
  float e = __expf(__bfloat162float(v) - __bfloat162float(m));
  float sum = warp_sum(e);
  if (lane < n) y[blockIdx.x * n + lane] = __float2bfloat16(e / sum);
}

// ---- what is made of it ----------------------------------------------------------------------------------------------

__global__ void log_softmax_thread(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = x[row * n];
  for (int i = 1; i < n; ++i) m = fmax(m, x[row * n + i]);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += exp(x[row * n + i] - m);
  double shift = m + log(sum);
  for (int i = 0; i < n; ++i) y[row * n + i] = x[row * n + i] - shift;
}

template <class Op>
__global__ void log_softmax_warp(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  Op op;
  float m = -INFINITY;
  for (int i = threadIdx.x; i < n; i += warpSize) m = op(m, x[row * n + i]);
  m = warp_xor(m, op);
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += warpSize) sum += expf(x[row * n + i] - m);
  float logarithm = logf(warp_sum(sum));
  for (int i = threadIdx.x; i < n; i += warpSize) y[row * n + i] = x[row * n + i] - m - logarithm;
}

__global__ void logsumexp_thread(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = -HUGE_VAL;
  for (int i = 0; i < n; ++i) m = fmax(x[row * n + i], m);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += exp(x[row * n + i] - m);
  y[row] = log(sum) + m;
}

// A pair at a time: log(exp(a) + exp(b)).
__global__ void logsumexp_pairs(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float a = x[row * n];
  for (int i = 1; i < n; ++i) {
    float b = x[row * n + i];
    a = fmaxf(a, b) + log1pf(expf(-fabsf(a - b)));
  }
  y[row] = a;
}

__global__ void logsumexp_warp(const float *x, float *y, int n) {
  float v = threadIdx.x < n ? x[blockIdx.x * n + threadIdx.x] : -INFINITY;
  float m = warp_xor(v, Fmax());
  float sum = warp_sum(expf(v - m));
  if (threadIdx.x == 0) y[blockIdx.x] = m + logf(sum);
}

__global__ void cross_entropy_thread(const float *x, const int *target, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *logits = x + row * n;
  float m = -INFINITY;
  for (int i = 0; i < n; ++i)
    if (logits[i] > m) m = logits[i];
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += expf(logits[i] - m);
  y[row] = -(logits[target[row]] - m - logf(sum));
}

__global__ void cross_entropy_block(const float *x, const int *target, float *y, int n) {
  __shared__ float largest[64];
  __shared__ float sums[64];
  int t = threadIdx.x;
  const float *logits = x + blockIdx.x * n;
  largest[t] = -INFINITY;
  for (int i = t; i < n; i += blockDim.x) largest[t] = fmaxf(largest[t], logits[i]);
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) largest[t] = fmaxf(largest[t], largest[t + s]);
    __syncthreads();
  }
  float m = largest[0];
  sums[t] = 0.0f;
  for (int i = t; i < n; i += blockDim.x) sums[t] += expf(logits[i] - m);
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = logf(sums[0]) + m - logits[target[blockIdx.x]];
}

__global__ void cross_entropy_warp(const float *x, const int *target, float *y, int rows, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float m = -INFINITY;
  for (int i = lane; i < n; i += 32) m = fmaxf(m, x[row * n + i]);
  m = warp_xor(m, Fmax());
  float sum = 0.0f;
  for (int i = lane; i < n; i += 32) sum += expf(x[row * n + i] - m);
  sum = warp_sum(sum);
  if (lane == 0) y[row] = logf(sum) - (x[row * n + target[row]] - m);
}

// With a part of the target spread over all classes.
__global__ void smoothed_cross_entropy(const double *x, const int *target, double *y, int rows, int n, double smoothing) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = x[row * n], sum = 0, all = 0;
  for (int i = 1; i < n; ++i) m = max(m, x[row * n + i]);
  for (int i = 0; i < n; ++i) {
    sum += exp(x[row * n + i] - m);
    all += x[row * n + i];
  }
  double lse = m + log(sum);
  y[row] = (1 - smoothing) * (lse - x[row * n + target[row]]) + smoothing * (lse - all / n);
}

__global__ void softmin_warp(const float *x, float *y, int rows, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float m = INFINITY;
  for (int i = lane; i < n; i += 32) m = fminf(m, x[row * n + i]);
  for (int k = 16; k > 0; k /= 2) m = fminf(m, __shfl_xor_sync(FULL, m, k));
  float sum = 0.0f;
  for (int i = lane; i < n; i += 32) sum += expf(m - x[row * n + i]);
  sum = warp_sum(sum);
  for (int i = lane; i < n; i += 32) y[row * n + i] = expf(m - x[row * n + i]) / sum;
}
