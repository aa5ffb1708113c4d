// Losses: by element, by row, and summed over all.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <math.h>
namespace cg = cooperative_groups;

template <class F, class T>
__global__ void of_pairs(const T *x, const T *z, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = F()(x[i], z[i]);
}

// Each block adds its part of the mean.
template <class F>
__global__ void mean_by_blocks(const float *x, const float *z, float *y, int n) {
  __shared__ float cache[32];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += F()(x[i], z[i]);
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(y, cache[0] / n);
}

template <class F>
__global__ void mean_by_warps(const float4 *x, const float4 *z, float *y, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
    float4 a = x[i], b = z[i];
    sum += F()(a.x, b.x) + F()(a.y, b.y) + F()(a.z, b.z) + F()(a.w, b.w);
  }
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) atomicAdd(y, sum / n);
}

template <class F>
__global__ void of_half_pairs(const __half2 *x, const __half2 *z, __half2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  float2 a = __half22float2(x[i]), b = __half22float2(z[i]);
  y[i] = __floats2half2_rn(F()(a.x, b.x), F()(a.y, b.y));
}

struct Squared { __device__ float operator()(float x, float z) const { return (x - z) * (x - z); } };
struct SquaredPow { __device__ double operator()(double x, double z) const { return pow(x - z, 2.0); } };
struct L1 { __device__ float operator()(float x, float z) const { return fabsf(x - z); } };
struct L1Chosen { __device__ double operator()(double x, double z) const { return x > z ? x - z : z - x; } };
struct L1Max { __device__ float operator()(float x, float z) const { return fmaxf(x, z) - fminf(x, z); } };

struct SmoothL1 {
  __device__ float operator()(float x, float z) const {
    float d = fabsf(x - z);
    return d < 1.0f ? 0.5f * d * d : d - 0.5f;
  }
};
struct SmoothL1Min {
  __device__ double operator()(double x, double z) const {
    double d = fabs(x - z), q = fmin(d, 1.0);
    return 0.5 * q * q + (d - q);
  }
};
struct Huber {
  __device__ float operator()(float x, float z) const {
    float e = x - z, a = fabsf(e);
    if (a <= 0.5f) return 0.5f * e * e;
    return 0.5f * (a - 0.25f);
  }
};
struct HuberClamped {
  __device__ float operator()(float x, float z) const {
    float e = x - z, c = fminf(fmaxf(e, -0.5f), 0.5f);
    return c * (e - 0.5f * c);
  }
};
struct LogCosh {
  __device__ float operator()(float x, float z) const {
    float e = x - z;
    return fabsf(e) + log1pf(expf(-2.0f * fabsf(e))) - 0.69314718f;
  }
};
struct Charbonnier { __device__ float operator()(float x, float z) const { return sqrtf((x - z) * (x - z) + 1e-6f); } };

struct WithLogits {
  __device__ float operator()(float x, float z) const { return fmaxf(x, 0.0f) - x * z + log1pf(expf(-fabsf(x))); }
};
struct WithLogitsLog {
  __device__ double operator()(double x, double z) const {
    double m = fmax(-x, 0.0);
    return (1 - z) * x + m + log(exp(-m) + exp(-x - m));
  }
};
struct WithLogitsChosen {
  __device__ float operator()(float x, float z) const {
    return (x > 0 ? x : 0) - x * z + log1pf(expf(x > 0 ? -x : x));
  }
};
struct Bce {
  __device__ float operator()(float x, float z) const {
    return -(z * fmaxf(logf(x), -100.0f) + (1.0f - z) * fmaxf(logf(1.0f - x), -100.0f));
  }
};
struct Kl { __device__ float operator()(float x, float z) const { return z > 0.0f ? z * (logf(z) - x) : 0.0f; } };
struct KlDouble { __device__ double operator()(double x, double z) const { return z == 0 ? 0 : z * log(z) - z * x; } };
struct Poisson { __device__ float operator()(float x, float z) const { return expf(x) - z * x; } };
struct PoissonRate { __device__ float operator()(float x, float z) const { return x - z * logf(x + 1e-8f); } };
struct Hinge { __device__ float operator()(float x, float z) const { return fmaxf(0.0f, 1.0f - z * x); } };
struct HingeIf {
  __device__ double operator()(double x, double z) const {
    double margin = 1 - z * x;
    if (margin <= 0) return 0;
    return margin;
  }
};
struct SquaredHinge {
  __device__ float operator()(float x, float z) const {
    float margin = fmaxf(0.0f, 1.0f - z * x);
    return margin * margin;
  }
};
struct HingeEmbedding { __device__ float operator()(float x, float z) const { return z > 0 ? x : fmaxf(0.0f, 1.0f - x); } };
struct SoftMargin { __device__ float operator()(float x, float z) const { return log1pf(expf(-z * x)); } };
struct SoftMarginStable {
  __device__ double operator()(double x, double z) const { return fmax(-z * x, 0.0) + log1p(exp(-fabs(z * x))); }
};
struct Focal {
  __device__ float operator()(float x, float z) const {
    float p = 1.0f / (1.0f + expf(-x));
    float ce = fmaxf(x, 0.0f) - x * z + log1pf(expf(-fabsf(x)));
    float rest = 1.0f - (p * z + (1.0f - p) * (1.0f - z));
    return rest * rest * ce;
  }
};
struct Quantile {
  __device__ float operator()(float x, float z) const {
    float e = z - x;
    return fmaxf(0.25f * e, -0.75f * e);
  }
};

__global__ void weighted_logits(const float *x, const float *z, const float *w, float *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * n) return;
  float v = x[i], t = z[i];
  float factor = 1.0f + (w[i % n] - 1.0f) * t;
  y[i] = (1.0f - t) * v + factor * (log1pf(expf(-fabsf(v))) + fmaxf(-v, 0.0f));
}

__global__ void nll(const float *x, const int *target, float *y, int rows, int n, int ignored) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int t = target[row];
  y[row] = t == ignored ? 0.0f : -x[row * n + t];
}

__global__ void gaussian_nll(const float *x, const float *z, const float *w, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float variance = fmaxf(w[i], 1e-6f), e = x[i] - z[i];
  y[i] = 0.5f * (logf(variance) + e * e / variance);
}

__global__ void margin_ranking(const double *x, const double *z, const int *sign, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmax(0.0, (sign[i] ? -1 : 1) * (x[i] - z[i]) + 0.5);
}

// What exceeds the score of the right class less a margin.
__global__ void multi_margin(const float *x, const int *target, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float right = x[row * n + target[row]], sum = 0.0f;
  for (int c = 0; c < n; ++c)
    if (c != target[row]) sum += fmaxf(0.0f, 1.0f - right + x[row * n + c]);
  y[row] = sum / n;
}
__global__ void multi_margin_warp(const float *x, const int *target, float *y, int n) {
  int row = blockIdx.x;
  float right = x[row * n + target[row]], sum = 0.0f;
  for (int c = threadIdx.x; c < n; c += 32) {
    float z = 1.0f - right + x[row * n + c];
    if (c != target[row] && z > 0.0f) sum += z;
  }
  for (int k = 16; k > 0; k >>= 1) sum += __shfl_down_sync(0xffffffff, sum, k);
  if (threadIdx.x == 0) y[row] = sum / n;
}

__device__ float distance(const float *a, const float *b, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) {
    float d = a[i] - b[i] + 1e-6f;
    sum += d * d;
  }
  return sqrtf(sum);
}
__global__ void triplet(const float *a, const float *x, const float *z, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) y[row] = fmaxf(distance(a + row * n, x + row * n, n) - distance(a + row * n, z + row * n, n) + 1.0f, 0.0f);
}
__global__ void triplet_warp(const float *a, const float *x, const float *z, float *y, int n) {
  int row = blockIdx.x, lane = threadIdx.x;
  float near = 0.0f, far = 0.0f;
  for (int i = lane; i < n; i += 32) {
    float p = a[row * n + i] - x[row * n + i] + 1e-6f, q = a[row * n + i] - z[row * n + i] + 1e-6f;
    near += p * p;
    far += q * q;
  }
  for (int k = 16; k > 0; k >>= 1) {
    near += __shfl_xor_sync(0xffffffffu, near, k);
    far += __shfl_xor_sync(0xffffffffu, far, k);
  }
  if (lane == 0) y[row] = fmaxf(0.0f, 1.0f + sqrtf(near) - sqrtf(far));
}

__global__ void cosine_embedding(const float *a, const float *b, const int *alike, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float dot = 0.0f, first = 0.0f, second = 0.0f;
  for (int i = 0; i < n; ++i) {
    float u = a[row * n + i], v = b[row * n + i];
    dot += u * v;
    first += u * u;
    second += v * v;
  }
  float cosine = dot / sqrtf((first + 1e-12f) * (second + 1e-12f));
  y[row] = alike[row] ? 1.0f - cosine : fmaxf(0.0f, cosine - 0.25f);
}

// Contrastive, a row against all others: its own is the right one.
__global__ void info_nce(const float *a, const float *b, float *y, int rows, int n) {
  int row = blockIdx.x, lane = threadIdx.x;
  float score = -INFINITY;
  if (lane < rows) {
    score = 0.0f;
    for (int k = 0; k < n; ++k) score += a[row * n + k] * b[lane * n + k];
  }
  float m = score;
  for (int k = 16; k > 0; k >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, k));
  float sum = expf(score - m);
  for (int k = 16; k > 0; k >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, k);
  if (lane == row) y[row] = m + logf(sum) - score;
}
