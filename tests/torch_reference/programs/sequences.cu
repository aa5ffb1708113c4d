// Attention, alignments, transport and recurrences.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <math.h>
namespace cg = cooperative_groups;

#define FULL 0xffffffffu

// ---- attention: n queries and keys of width d --------------------------------------------------------------------------

template <bool Causal>
__global__ void attention_thread(const float *q, const float *k, const float *v, float *y, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float scale = rsqrtf((float)d), m = -INFINITY;
  int last = Causal ? i + 1 : n;
  for (int j = 0; j < last; ++j) {
    float s = 0.0f;
    for (int c = 0; c < d; ++c) s += q[i * d + c] * k[j * d + c];
    m = fmaxf(m, s * scale);
  }
  float sum = 0.0f;
  for (int c = 0; c < d; ++c) y[i * d + c] = 0.0f;
  for (int j = 0; j < last; ++j) {
    float s = 0.0f;
    for (int c = 0; c < d; ++c) s += q[i * d + c] * k[j * d + c];
    float p = expf(s * scale - m);
    sum += p;
    for (int c = 0; c < d; ++c) y[i * d + c] += p * v[j * d + c];
  }
  for (int c = 0; c < d; ++c) y[i * d + c] /= sum;
}
// The keys one after the other, rescaled where a larger score comes.
template <bool Causal>
__global__ void attention_online(const float *q, const float *k, const float *v, float *y, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float m = -INFINITY, sum = 0.0f, out[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int j = 0; j < n; ++j) {
    if (Causal && j > i) break;
    float s = 0.0f;
    for (int c = 0; c < d; ++c) s += q[i * d + c] * k[j * d + c];
    s *= rsqrtf((float)d);
    float larger = fmaxf(m, s), keep = expf(m - larger), p = expf(s - larger);
    sum = sum * keep + p;
    for (int c = 0; c < d; ++c) out[c] = out[c] * keep + p * v[j * d + c];
    m = larger;
  }
  for (int c = 0; c < d; ++c) y[i * d + c] = out[c] / sum;
}
// A warp for each query, a lane for each key; what comes later is masked with minus infinity.
template <bool Causal>
__global__ void attention_warp(const float *q, const float *k, const float *v, float *y, int n, int d) {
  int i = blockIdx.x, j = threadIdx.x;
  float s = -INFINITY;
  if (j < n) {
    s = 0.0f;
    for (int c = 0; c < d; ++c) s += q[i * d + c] * k[j * d + c];
    s *= rsqrtf((float)d);
    if (Causal && j > i) s = -INFINITY;
  }
  float m = s;
  for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, o));
  float p = expf(s - m), sum = p;
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(FULL, sum, o);
  p /= sum;
  for (int c = 0; c < d; ++c) {
    float part = j < n ? p * v[j * d + c] : 0.0f;
    for (int o = 16; o > 0; o >>= 1) part += __shfl_down_sync(FULL, part, o);
    if (j == 0) y[i * d + c] = part;
  }
}
__global__ void attention_half(const __half *q, const __half *k, const __half *v, __half *y, int n, int d) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x, j = warp.thread_rank();
  float s = 0.0f;
  for (int c = 0; c < d; ++c) s += j < n ? __half2float(q[i * d + c]) * __half2float(k[j * d + c]) : 0.0f;
  s = j < n ? s * rsqrtf((float)d) : -INFINITY;
  float m = cg::reduce(warp, s, cg::greater<float>());
  float p = expf(s - m);
  p /= cg::reduce(warp, p, cg::plus<float>());
  for (int c = 0; c < d; ++c) {
    float part = cg::reduce(warp, j < n ? p * __half2float(v[j * d + c]) : 0.0f, cg::plus<float>());
    if (j == 0) y[i * d + c] = __float2half(part);
  }
}
// A softmax of scores of which a mask leaves some: none of a row, and the row is zero.
__global__ void masked_softmax(const float *x, const int *mask, float *y, int n) {
  int i = threadIdx.x;
  float s = i < n && mask[blockIdx.x * n + i] ? x[blockIdx.x * n + i] : -INFINITY;
  float m = s;
  for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, o));
  float p = m == -INFINITY ? 0.0f : expf(s - m), sum = p;
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(FULL, sum, o);
  if (i < n) y[blockIdx.x * n + i] = sum > 0.0f ? p / sum : 0.0f;
}
__global__ void masked_softmax_thread(const double *x, const int *mask, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = -HUGE_VAL, sum = 0;
  for (int i = 0; i < n; ++i)
    if (mask[row * n + i]) m = fmax(m, x[row * n + i]);
  for (int i = 0; i < n; ++i)
    if (mask[row * n + i]) sum += exp(x[row * n + i] - m);
  for (int i = 0; i < n; ++i) y[row * n + i] = mask[row * n + i] ? exp(x[row * n + i] - m) / sum : 0;
}
// A bias that is minus infinity where a key is not to be seen.
__global__ void biased_softmax(const float *x, const float *bias, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float m = -INFINITY, sum = 0.0f;
  for (int i = 0; i < n; ++i) m = fmaxf(m, x[row * n + i] + bias[row * n + i]);
  for (int i = 0; i < n; ++i) sum += expf(x[row * n + i] + bias[row * n + i] - m);
  for (int i = 0; i < n; ++i) y[row * n + i] = expf(x[row * n + i] + bias[row * n + i] - m) / sum;
}
__global__ void rotary(const float2 *x, const float *angle, float2 *y, int rows, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * pairs) return;
  float s, c;
  sincosf(angle[i % pairs], &s, &c);
  y[i] = make_float2(x[i].x * c - x[i].y * s, x[i].x * s + x[i].y * c);
}

// ---- alignments --------------------------------------------------------------------------------------------------------

__device__ double log_add(double a, double b) {
  if (a == -INFINITY) return b;
  if (b == -INFINITY) return a;
  return fmax(a, b) + log1p(exp(-fabs(a - b)));
}
// The probability of a sequence of labels, which are not zero, over all that it can be stretched to.
__global__ void ctc(const double *x, const int *label, double *y, int steps, int classes, int length) {
  if (threadIdx.x != 0) return;
  double alpha[9], next[9];
  int states = 2 * length + 1;
  for (int s = 0; s < states; ++s) alpha[s] = -INFINITY;
  alpha[0] = x[0];
  alpha[1] = x[label[0]];
  for (int t = 1; t < steps; ++t) {
    for (int s = 0; s < states; ++s) {
      int symbol = s % 2 ? label[s / 2] : 0;
      double sum = alpha[s];
      if (s > 0) sum = log_add(sum, alpha[s - 1]);
      if (s > 1 && symbol != 0 && symbol != label[s / 2 - 1]) sum = log_add(sum, alpha[s - 2]);
      next[s] = sum + x[t * classes + symbol];
    }
    for (int s = 0; s < states; ++s) alpha[s] = next[s];
  }
  y[0] = -log_add(alpha[states - 1], alpha[states - 2]);
}
// The same by a block, a thread for each state, with a large number in place of infinity.
__global__ void ctc_block(const float *x, const int *label, float *y, int steps, int classes, int length) {
  __shared__ float alpha[2][32];
  int s = threadIdx.x, states = 2 * length + 1, now = 0;
  int symbol = s < states && s % 2 ? label[s / 2] : 0;
  bool skips = s < states && s % 2 && s > 1 && symbol != label[s / 2 - 1];
  alpha[0][s] = s < 2 ? x[symbol] : -1e30f;
  __syncthreads();
  for (int t = 1; t < steps; ++t) {
    float a = alpha[now][s], b = s > 0 ? alpha[now][s - 1] : -1e30f, c = skips ? alpha[now][s - 2] : -1e30f;
    float m = fmaxf(a, fmaxf(b, c));
    float sum = expf(a - m) + expf(b - m) + expf(c - m);
    alpha[1 - now][s] = s < states ? m + logf(sum) + x[t * classes + symbol] : -1e30f;
    now = 1 - now;
    __syncthreads();
  }
  if (s == 0) {
    float a = alpha[now][states - 1], b = alpha[now][states - 2], m = fmaxf(a, b);
    y[0] = -(m + logf(expf(a - m) + expf(b - m)));
  }
}
// The best path through a lattice: scores of steps plus those of transitions.
__global__ void viterbi(const float *x, const float *w, float *y, int steps, int n) {
  __shared__ float best[2][8];
  int j = threadIdx.x, now = 0;
  if (j < n) best[0][j] = x[j];
  __syncthreads();
  for (int t = 1; t < steps; ++t) {
    float m = -INFINITY;
    if (j < n) {
      for (int i = 0; i < n; ++i) m = fmaxf(m, best[now][i] + w[i * n + j]);
      best[1 - now][j] = m + x[t * n + j];
    }
    now = 1 - now;
    __syncthreads();
  }
  if (j == 0) {
    float m = best[now][0];
    for (int i = 1; i < n; ++i) m = fmaxf(m, best[now][i]);
    y[0] = m;
  }
}
// The partition function of a chain, with the same scores.
__global__ void chain_partition(const float *x, const float *w, float *y, int steps, int n) {
  __shared__ float all[2][32];
  int j = threadIdx.x, now = 0;
  all[0][j] = j < n ? x[j] : -INFINITY;
  __syncthreads();
  for (int t = 1; t < steps; ++t) {
    if (j < n) {
      float m = -INFINITY, sum = 0.0f;
      for (int i = 0; i < n; ++i) m = fmaxf(m, all[now][i] + w[i * n + j]);
      for (int i = 0; i < n; ++i) sum += expf(all[now][i] + w[i * n + j] - m);
      all[1 - now][j] = m + logf(sum) + x[t * n + j];
    } else {
      all[1 - now][j] = -INFINITY;
    }
    now = 1 - now;
    __syncthreads();
  }
  float v = all[now][j], m = v;
  for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, o));
  float sum = expf(v - m);
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(FULL, sum, o);
  if (j == 0) y[0] = m + logf(sum);
}
// Dynamic time warping of two series.
__global__ void time_warping(const double *a, const double *b, double *y, int n) {
  if (threadIdx.x != 0) return;
  double cost[8][8];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double d = (a[i] - b[j]) * (a[i] - b[j]), best = 0;
      if (i > 0 && j > 0)
        best = fmin(cost[i - 1][j - 1], fmin(cost[i - 1][j], cost[i][j - 1]));
      else if (i > 0)
        best = cost[i - 1][j];
      else if (j > 0)
        best = cost[i][j - 1];
      cost[i][j] = d + best;
    }
  y[0] = cost[n - 1][n - 1];
}

// ---- transport ---------------------------------------------------------------------------------------------------------

// Rounds of normalising rows and columns of exp(x), in logarithms: a thread for each row, or column.
__global__ void sinkhorn(const float *x, float *y, int n, int rounds) {
  __shared__ float f[8], g[8];
  int i = threadIdx.x;
  if (i < n) f[i] = g[i] = 0.0f;
  __syncthreads();
  for (int k = 0; k < rounds; ++k) {
    if (i < n) {
      float m = -INFINITY, sum = 0.0f;
      for (int j = 0; j < n; ++j) m = fmaxf(m, x[i * n + j] + g[j]);
      for (int j = 0; j < n; ++j) sum += expf(x[i * n + j] + g[j] - m);
      f[i] = -(m + logf(sum));
    }
    __syncthreads();
    if (i < n) {
      float m = -INFINITY, sum = 0.0f;
      for (int j = 0; j < n; ++j) m = fmaxf(m, x[j * n + i] + f[j]);
      for (int j = 0; j < n; ++j) sum += expf(x[j * n + i] + f[j] - m);
      g[i] = -(m + logf(sum));
    }
    __syncthreads();
  }
  if (i < n)
    for (int j = 0; j < n; ++j) y[i * n + j] = expf(x[i * n + j] + f[i] + g[j]);
}
// A lane for each element of four by eight: rows are segments of lanes, columns lie a multiple of eight apart.
__global__ void sinkhorn_lanes(const float *x, float *y, int rounds) {
  int lane = threadIdx.x;
  float v = x[lane];
  for (int k = 0; k < rounds; ++k) {
    float m = v;
    for (int o = 4; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, o));
    float sum = expf(v - m);
    for (int o = 4; o > 0; o >>= 1) sum += __shfl_xor_sync(FULL, sum, o);
    v -= m + logf(sum);
    m = v;
    for (int o = 16; o > 4; o >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, o));
    sum = expf(v - m);
    for (int o = 16; o > 4; o >>= 1) sum += __shfl_xor_sync(FULL, sum, o);
    v -= m + logf(sum);
  }
  y[lane] = expf(v);
}

// ---- recurrences -------------------------------------------------------------------------------------------------------

__device__ float sigmoid(float v) { return 1.0f / (1.0f + expf(-v)); }
__global__ void gru(const float *x, const float *h, float *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * n) return;
  const float *g = x + i / n * 3 * n;
  int c = i % n;
  float r = sigmoid(g[c] + h[i]), z = sigmoid(g[n + c] + h[i]), candidate = tanhf(g[2 * n + c] + r * h[i]);
  y[i] = (1.0f - z) * candidate + z * h[i];
}
__global__ void leaky_integrator(const double *x, double *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double state = 0;
  for (int t = 0; t < n; ++t) {
    state = fmax(0.5 * state + x[row * n + t], 0.0);
    y[row * n + t] = state;
  }
}
// Upwinding: the flux comes from where the wind does.
__global__ void upwind(const float *x, const float *u, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = x[(i + n - 1) % n], here = x[i], right = x[(i + 1) % n];
  y[i] = fmaxf(u[i], 0.0f) * (here - left) + fminf(u[i], 0.0f) * (right - here);
}
__global__ void minmod(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = fmax(fmin(a[i], b[i]), 0.0) + fmin(fmax(a[i], b[i]), 0.0);
}
// Rays and boxes: where a ray enters the last of the slabs, less where it leaves the first.
__global__ void slabs(const float *a, const float *b, float *y, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float enters = -INFINITY, leaves = INFINITY;
  for (int k = 0; k < 3; ++k) {
    float t0 = a[i * 3 + k], t1 = b[i * 3 + k];
    enters = fmaxf(enters, fminf(t0, t1));
    leaves = fminf(leaves, fmaxf(t0, t1));
  }
  y[i] = enters - leaves;
}
// The distance from a box: outside of it, and inside.
__global__ void box_distance(const float *x, float *y, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float p = fabsf(x[i * 3]) - 1.0f, q = fabsf(x[i * 3 + 1]) - 1.0f, r = fabsf(x[i * 3 + 2]) - 1.0f;
  float a = fmaxf(p, 0.0f), b = fmaxf(q, 0.0f), c = fmaxf(r, 0.0f);
  y[i] = sqrtf(a * a + b * b + c * c) + fminf(fmaxf(p, fmaxf(q, r)), 0.0f);
}
// What two boxes share, over what they cover.
__global__ void overlap(const float4 *a, const float4 *b, float *y, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float4 u = a[i], v = b[i];
  float w = fmaxf(fminf(u.z, v.z) - fmaxf(u.x, v.x), 0.0f), h = fmaxf(fminf(u.w, v.w) - fmaxf(u.y, v.y), 0.0f);
  float shared = w * h;
  float first = (u.z - u.x) * (u.w - u.y), second = (v.z - v.x) * (v.w - v.y);
  y[i] = shared / (fabsf(first) + fabsf(second) + 1.0f);
}
