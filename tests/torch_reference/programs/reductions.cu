// Sums, products, extrema and scans of rows.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <math.h>
namespace cg = cooperative_groups;

#define FULL 0xffffffffu

struct Fmax {
  static __device__ float from() { return -INFINITY; }
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct MaxChosen {
  static __device__ float from() { return -INFINITY; }
  __device__ float operator()(float a, float b) const { return b > a ? b : a; }
};
struct Fmin {
  static __device__ float from() { return INFINITY; }
  __device__ float operator()(float a, float b) const { return fminf(a, b); }
};
struct MinChosen {
  static __device__ float from() { return INFINITY; }
  __device__ float operator()(float a, float b) const { return a < b ? a : b; }
};

template <class Op>
__global__ void extremum_thread(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float found = Op::from();
  for (int i = 0; i < n; ++i) found = Op()(found, x[row * n + i]);
  y[row] = found;
}
template <class Op>
__global__ void extremum_warp(const float *x, float *y, int n) {
  float found = Op::from();
  for (int i = threadIdx.x; i < n; i += 32) found = Op()(found, x[blockIdx.x * n + i]);
  for (int k = 16; k > 0; k >>= 1) found = Op()(found, __shfl_xor_sync(FULL, found, k));
  if (threadIdx.x == 0) y[blockIdx.x] = found;
}
template <class Op>
__global__ void extremum_down(const float *x, float *y, int n) {
  float found = threadIdx.x < n ? x[blockIdx.x * n + threadIdx.x] : Op::from();
  for (int k = 16; k > 0; k >>= 1) found = Op()(found, __shfl_down_sync(FULL, found, k));
  if (threadIdx.x == 0) y[blockIdx.x] = found;
}
template <class Op>
__global__ void extremum_tree(const float *x, float *y, int n) {
  extern __shared__ float cache[];
  cache[threadIdx.x] = threadIdx.x < n ? x[blockIdx.x * n + threadIdx.x] : Op::from();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s) cache[threadIdx.x] = Op()(cache[threadIdx.x], cache[threadIdx.x + s]);
  }
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = cache[0];
}
__global__ void largest_groups(const float *x, float *y, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float found = threadIdx.x < n ? x[blockIdx.x * n + threadIdx.x] : -INFINITY;
  found = cg::reduce(warp, found, cg::greater<float>());
  if (warp.thread_rank() == 0) y[blockIdx.x] = found;
}
__global__ void smallest_groups(const float *x, float *y, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float found = threadIdx.x < n ? x[blockIdx.x * n + threadIdx.x] : INFINITY;
  found = cg::reduce(warp, found, cg::less<float>());
  if (warp.thread_rank() == 0) y[blockIdx.x] = found;
}
__global__ void largest_float4(const float4 *x, float *y, int n) {
  float found = -INFINITY;
  for (int i = threadIdx.x; i < n / 4; i += 32) {
    float4 v = x[blockIdx.x * (n / 4) + i];
    found = fmaxf(found, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
  }
  for (int k = 16; k > 0; k >>= 1) found = fmaxf(found, __shfl_xor_sync(FULL, found, k));
  if (threadIdx.x == 0) y[blockIdx.x] = found;
}
__global__ void largest_half2(const __half2 *x, __half *y, int n) {
  int pairs = n / 2;
  __half2 found = __float2half2_rn(-60000.0f);
  for (int i = threadIdx.x; i < pairs; i += 32) found = __hmax2(found, x[blockIdx.x * pairs + i]);
  __half m = __hmax(__low2half(found), __high2half(found));
  for (int k = 16; k > 0; k >>= 1) m = __hmax(m, __shfl_xor_sync(FULL, m, k));
  if (threadIdx.x == 0) y[blockIdx.x] = m;
}
// The largest and where it is.
__global__ void largest_with_place(const float *x, float *y, int n) {
  float found = -INFINITY;
  int place = -1;
  for (int i = threadIdx.x; i < n; i += 32)
    if (x[blockIdx.x * n + i] > found) {
      found = x[blockIdx.x * n + i];
      place = i;
    }
  for (int k = 16; k > 0; k >>= 1) {
    float other = __shfl_down_sync(FULL, found, k);
    int there = __shfl_down_sync(FULL, place, k);
    if (other > found || (other == found && there < place)) {
      found = other;
      place = there;
    }
  }
  if (threadIdx.x == 0) y[blockIdx.x] = found;
}
__global__ void largest_by_place(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int best = 0;
  for (int i = 1; i < n; ++i)
    if (x[row * n + i] > x[row * n + best]) best = i;
  y[row] = x[row * n + best];
}
// Its square, as all lanes know it; and how far the row reaches.
__global__ void squared_largest(const float *x, float *y, int n) {
  float m = threadIdx.x < n ? x[blockIdx.x * n + threadIdx.x] : -INFINITY;
  for (int k = 16; k > 0; k >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, k));
  if (threadIdx.x < n) y[blockIdx.x * n + threadIdx.x] = m * m - x[blockIdx.x * n + threadIdx.x];
}
__global__ void reach(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float low = x[row * n], high = x[row * n];
  for (int i = 1; i < n; ++i) {
    if (x[row * n + i] < low) low = x[row * n + i];
    if (x[row * n + i] > high) high = x[row * n + i];
  }
  y[row] = high - low;
}

template <class T>
__global__ void sum_thread(const T *x, T *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T sum = 0;
  for (int i = 0; i < n; ++i) sum += x[row * n + i];
  y[row] = sum;
}
__global__ void sum_atomic(const float *x, float *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * n) atomicAdd(&y[i / n], x[i]);
}
__global__ void sum_half2(const __half2 *x, __half *y, int n) {
  int pairs = n / 2;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < pairs; i += 32) sum += __low2float(x[blockIdx.x * pairs + i]) + __high2float(x[blockIdx.x * pairs + i]);
  for (int k = 16; k > 0; k >>= 1) sum += __shfl_down_sync(FULL, sum, k);
  if (threadIdx.x == 0) y[blockIdx.x] = __float2half(sum);
}
__global__ void mean_block(const float *x, float *y, int n) {
  __shared__ float cache[64];
  cache[threadIdx.x] = 0.0f;
  for (int i = threadIdx.x; i < n; i += 64) cache[threadIdx.x] += x[blockIdx.x * n + i];
  __syncthreads();
  for (int s = 32; s > 0; s >>= 1) {
    if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = cache[0] / n;
}
template <class T>
__global__ void product_thread(const T *x, T *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T product = 1;
  for (int i = 0; i < n; ++i) product *= x[row * n + i];
  y[row] = product;
}
__global__ void product_warp(const float *x, float *y, int n) {
  float product = threadIdx.x < n ? x[blockIdx.x * n + threadIdx.x] : 1.0f;
  for (int k = 16; k > 0; k >>= 1) product *= __shfl_xor_sync(FULL, product, k);
  if (threadIdx.x == 0) y[blockIdx.x] = product;
}
__global__ void product_tree(const float *x, float *y, int n) {
  __shared__ float cache[32];
  cache[threadIdx.x] = threadIdx.x < n ? x[blockIdx.x * n + threadIdx.x] : 1.0f;
  __syncthreads();
  for (int s = 16; s > 0; s >>= 1) {
    if (threadIdx.x < s) cache[threadIdx.x] *= cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = cache[0];
}

// ---- scans -------------------------------------------------------------------------------------------------------------

template <class T>
__global__ void cumsum_thread(const T *x, T *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[row * n + i];
    y[row * n + i] = sum;
  }
}
__global__ void cumsum_warp(const float *x, float *y, int n) {
  int lane = threadIdx.x;
  float v = lane < n ? x[blockIdx.x * n + lane] : 0.0f;
  for (int k = 1; k < 32; k <<= 1) {
    float other = __shfl_up_sync(FULL, v, k);
    if (lane >= k) v += other;
  }
  if (lane < n) y[blockIdx.x * n + lane] = v;
}
__global__ void cumprod_thread(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double product = 1;
  for (int i = 0; i < n; ++i) y[row * n + i] = product *= x[row * n + i];
}
__global__ void cumprod_block(const float *x, float *y, int n) {
  __shared__ float buffer[2][32];
  int t = threadIdx.x, now = 0;
  buffer[now][t] = t < n ? x[blockIdx.x * n + t] : 1.0f;
  __syncthreads();
  for (int k = 1; k < 32; k *= 2) {
    float v = buffer[now][t];
    if (t >= k) v *= buffer[now][t - k];
    buffer[1 - now][t] = v;
    now = 1 - now;
    __syncthreads();
  }
  if (t < n) y[blockIdx.x * n + t] = buffer[now][t];
}
__global__ void cummax_thread(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float m = -INFINITY;
  for (int i = 0; i < n; ++i) {
    m = fmaxf(m, x[row * n + i]);
    y[row * n + i] = m;
  }
}
__global__ void cummax_warp(const float *x, float *y, int n) {
  int lane = threadIdx.x;
  float v = lane < n ? x[blockIdx.x * n + lane] : -INFINITY;
  for (int k = 1; k < 32; k <<= 1) {
    float other = __shfl_up_sync(FULL, v, k);
    if (lane >= k) v = fmaxf(v, other);
  }
  if (lane < n) y[blockIdx.x * n + lane] = v;
}
__global__ void cummin_if(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = x[row * n];
  y[row * n] = m;
  for (int i = 1; i < n; ++i) {
    if (x[row * n + i] < m) m = x[row * n + i];
    y[row * n + i] = m;
  }
}
__global__ void logcumsumexp_thread(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double all = x[row * n];
  y[row * n] = all;
  for (int i = 1; i < n; ++i) {
    double v = x[row * n + i];
    all = fmax(all, v) + log1p(exp(-fabs(all - v)));
    y[row * n + i] = all;
  }
}
__global__ void logcumsumexp_warp(const float *x, float *y, int n) {
  int lane = threadIdx.x;
  float v = lane < n ? x[blockIdx.x * n + lane] : -1e30f;
  for (int k = 1; k < 32; k <<= 1) {
    float other = __shfl_up_sync(FULL, v, k);
    if (lane >= k) {
      float m = fmaxf(v, other);
      v = m + logf(expf(v - m) + expf(other - m));
    }
  }
  if (lane < n) y[blockIdx.x * n + lane] = v;
}
__global__ void logcumsumexp_online(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float m = -INFINITY, s = 0.0f;
  for (int i = 0; i < n; ++i) {
    float v = x[row * n + i];
    if (v > m) {
      s = s * expf(m - v) + 1.0f;
      m = v;
    } else {
      s += expf(v - m);
    }
    y[row * n + i] = m + logf(s);
  }
}
