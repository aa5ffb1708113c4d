// Smooth functions in which a maximum or minimum is not: at equal numbers each has its derivative, whoever asks for the
// maximum, in whatever order.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

template <class T> __device__ T total(T v) {
  for (int k = 16; k; k >>= 1) v += __shfl_xor_sync(~0u, v, k);
  return v;
}

// A row for each warp, its largest number found by all lanes.
template <int Form> __global__ void butterfly(const float *x, float *y) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  float m = x[i];
  for (int k = 16; k; k >>= 1) {
    const float o = __shfl_xor_sync(~0u, m, k);
    if (Form == 0) m = fmaxf(m, o);
    if (Form == 1) m = o > m ? o : m;
    if (Form == 2 && m < o) m = o;
    if (Form == 3) m = max(o, m);
    if (Form == 4) m = m >= o ? m : o;
    if (Form == 5) m = -fminf(-m, -o);
  }
  const float e = expf(x[i] - m);
  y[i] = e / total(e);
}

__global__ void of_index(const double *x, double *y) {
  const int lane = threadIdx.x;
  double m = x[lane];
  int at = lane;
  for (int k = 16; k; k >>= 1) {
    const double o = __shfl_xor_sync(~0u, m, k);
    const int there = __shfl_xor_sync(~0u, at, k);
    if (o > m || (o == m && there < at)) {
      m = o;
      at = there;
    }
  }
  const double e = exp(x[lane] - m);
  y[lane] = e / total(e) + (at < 0);
}

// Around a circle: each lane meets the numbers in another order.
__global__ void circle(const double *x, double *y) {
  const int lane = threadIdx.x;
  double m = x[lane];
  for (int k = 16; k; k >>= 1) m = fmax(m, __shfl_sync(~0u, m, (lane + k) % 32));
  const double e = exp(x[lane] - m);
  y[lane] = e / total(e);
}

__global__ void unrolled_circle(const double *x, double *y) {
  const int lane = threadIdx.x;
  double m = x[lane], o;
  o = __shfl_sync(~0u, m, (lane + 1) % 32);
  m = o > m ? o : m;
  o = __shfl_sync(~0u, m, (lane + 2) % 32);
  m = m > o ? m : o;
  o = __shfl_sync(~0u, m, (lane + 4) % 32);
  if (m < o) m = o;
  o = __shfl_sync(~0u, m, (lane + 8) % 32);
  m = max(m, o);
  m = fmax(m, __shfl_sync(~0u, m, (lane + 16) % 32));
  const double e = exp(x[lane] - m);
  y[lane] = e / total(e);
}

// Each lane has the largest of those up to it: not all come to the choice.
__global__ void scan(const double *x, double *y) {
  const int lane = threadIdx.x;
  double m = x[lane];
  for (int k = 1; k < 32; k <<= 1) {
    const double o = __shfl_up_sync(~0u, m, k);
    if (lane >= k) m = fmax(m, o);
  }
  const double most = __shfl_sync(~0u, m, 31), e = exp(x[lane] - most);
  y[lane] = e / total(e);
}

__global__ void of_groups(const float *x, float *y) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * 32 + threadIdx.x;
  const float e = expf(x[i] - cg::reduce(tile, x[i], cg::greater<float>()));
  y[i] = e / cg::reduce(tile, e, cg::plus<float>());
}

// All threads look at all numbers, each from its own place.
template <int Form> __global__ void from_own_place(const double *x, double *y, int n) {
  double m = Form == 4 ? x[threadIdx.x] : -INFINITY, s = 0.0;
  int at = 0;
  for (int k = 0; k < n; ++k) {
    const int j = (threadIdx.x + k) % n;
    const double v = Form == 3 ? 0.7 * x[j] + 0.1 : x[j];
    if (Form == 0 || Form == 3 || Form == 4) m = fmax(m, v);
    if (Form == 1) m = v > m ? v : m;
    if (Form == 2 && v > m) {
      m = v;
      at = j;
    }
  }
  for (int k = 0; k < n; ++k) s += exp((Form == 3 ? 0.7 * x[k] + 0.1 : x[k]) - m);
  y[threadIdx.x] = exp((Form == 3 ? 0.7 * x[threadIdx.x] + 0.1 : x[threadIdx.x]) - m) / s + (at < 0);
}

// Each thread begins with its own number, which the loop comes to once more, or does not.
template <int Form> __global__ void own_first(const double *x, double *y) {
  __shared__ double found[32], sums[32];
  const int t = threadIdx.x;
  const double own = x[t];
  found[t] = x[t];
  __syncthreads();
  double m = Form == 0 ? found[t] : Form == 3 ? 0.5 * x[t] : own;
  if (Form == 0)
    for (int k = 0; k < 32; ++k) m = fmax(m, found[k]);
  if (Form == 1)
    for (unsigned k = 0; k < 32; ++k) m = m >= x[(t + k) % 32] ? m : x[(t + k) % 32];
  if (Form == 2)
    for (int k = 1; k < 32; ++k) m = fmax(m, x[(t + k) % 32]);
  if (Form == 3)
    for (int k = 0; k < 32; ++k)
      if (0.5 * x[k] > m) m = 0.5 * x[k];
  if (Form == 4) {  // what is overwritten afterwards
    m = found[t];
    for (int k = 0; k < 32; ++k) m = fmax(m, found[(t + k) % 32]);
  }
  if (Form == 5) {
    m = found[t];
    for (int k = 1; k < 32; ++k) m = fmax(m, found[(t + k) % 32]);
  }
  __syncthreads();
  if (Form > 3) found[t] = 1.0;
  const double e = exp((Form == 3 ? 0.5 : 1.0) * x[t] - m);
  sums[t] = e;
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < 32; ++k) sum += sums[k] * (Form > 3 ? found[k] : 1.0);
  y[t] = e / sum;
}

// More is chosen by one comparison than the larger number.
template <int Form> __global__ void online(const double *x, double *y, int n) {
  double m = -INFINITY, s = 0.0;
  for (int k = 0; k < n; ++k) {
    const double v = x[(threadIdx.x + k) % n];
    if (Form == 0) {
      if (v > m) {
        s = s * exp(m - v) + 1.0;
        m = v;
      } else {
        s += exp(v - m);
      }
    } else if (Form == 1) {
      s = v > m ? s * exp(m - v) + 1.0 : s + exp(v - m);
      m = fmax(m, v);
    } else {
      const double larger = fmax(m, v);
      s = s * exp(m - larger) + exp(v - larger);
      m = larger;
    }
  }
  y[threadIdx.x] = exp(x[threadIdx.x] - m) / s;
}

// Rows of a block: a tree, what the warps tell each other, and a broadcast.
__global__ void of_block(const float *x, float *y) {
  __shared__ float s[128];
  __shared__ float found[4];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float m = x[i];
  for (int k = 16; k; k >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, k));
  if (t % 32 == 0) found[t / 32] = m;
  __syncthreads();
  m = found[0];
  for (int w = 1; w < 4; ++w) m = fmaxf(m, found[w]);
  __syncthreads();
  const float e = expf(x[i] - m);
  s[t] = e;
  __syncthreads();
  for (int k = 64; k; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) found[0] = s[0];
  __syncthreads();
  y[i] = e / found[0];
}

// What is told is overwritten, and each thread begins with another warp.
__global__ void told(const double *x, double *y) {
  __shared__ double found[32];
  const int t = threadIdx.x;
  found[t] = x[t];
  __syncthreads();
  double m = -INFINITY;
  for (int k = 0; k < 32; ++k) m = fmax(m, found[(t + k) % 32]);
  __syncthreads();
  found[t] = exp(x[t] - m);
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < 32; ++k) sum += found[k];
  y[t] = found[t] / sum;
}

__global__ void of_halves(const __half *x, float *y) {
  const int lane = threadIdx.x;
  __half m = x[lane];
  for (int k = 16; k; k >>= 1) m = __hmax(m, __shfl_xor_sync(~0u, m, k));
  const float e = expf(__half2float(x[lane]) - __half2float(m));
  y[lane] = e / total(e);
}

__global__ void of_compared_halves(const __half *x, float *y, int n) {
  __half m = x[threadIdx.x];
  for (int k = 1; k < n; ++k) {
    const __half v = x[(threadIdx.x + k) % n];
    if (__hgt(v, m)) m = v;
  }
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s += expf(__half2float(x[k]) - __half2float(m));
  y[threadIdx.x] = expf(__half2float(x[threadIdx.x]) - __half2float(m)) / s;
}

// A network that sorts the numbers of a warp; what does not depend on their order is smooth.
template <int Form> __global__ void sorted(const double *x, double *y) {
  const int lane = threadIdx.x;
  double v = x[lane];
  for (int k = 2; k <= 32; k <<= 1) {
    for (int j = k >> 1; j > 0; j >>= 1) {
      const double o = __shfl_xor_sync(~0u, v, j);
      const bool up = (lane & k) == 0, low = (lane & j) == 0;
      if (Form == 0) v = up == low ? fmin(v, o) : fmax(v, o);
      if (Form == 1 && (v > o) == (up == low)) v = o;
      if (Form == 2) v = up == low ? (v <= o ? v : o) : (v > o ? v : o);
    }
  }
  y[0] = total(v * v * v);
}

// Numerically stable forms of smooth functions.
__global__ void stable(const double *a, const double *b, double *y) {
  const int i = threadIdx.x;
  const double u = a[i], v = b[i];
  double larger = u, smaller = v;
  if (u < v) {
    larger = v;
    smaller = u;
  }
  const double length = fmax(1.0 + u * u, 1.0 + v * v), other = fmin(1.0 + u * u, 1.0 + v * v);
  y[6 * i] = fmax(u, 0.0) + log1p(exp(-fabs(u)));
  y[6 * i + 1] = fmax(u, v) + log1p(exp(-fabs(u - v)));
  y[6 * i + 2] = fmax(0.0, u) + fmin(0.0, exp(u) - 1.0);
  y[6 * i + 3] = larger * 2.0 + smaller * 2.0 + (u > v ? u - v : v - u) * 0.0;
  y[6 * i + 4] = length * sqrt(1.0 + other / length * (other / length));
  y[6 * i + 5] = fmax(v, 0.0) + log1p(exp(-(v < 0 ? -v : v)));
}

// A larger and a smaller of the same two, each computed where it is compared and again where it is taken: the first
// stands beside a constant, so that a branch chooses, and all others take its side.
__global__ void computed(const float *x, float *y) {
  const int i = threadIdx.x;
  const float v = x[i], c = 0.f;
  float lower = c;
  if (c > expf(v) - 1.f) lower = expf(v) - 1.f;
  y[2 * i] = (1 + (sinf(v) >= c ? sinf(v) : c)) * (1 + (c < sinf(v) ? c : sinf(v)));
  y[2 * i + 1] = (2 + (expf(v) - 1.f >= c ? expf(v) - 1.f : c)) * (2 + lower) + (v <= float(v) ? v : float(v));
}

// A maximum by the smallest of the numbers with the other sign; each thread begins at a place of its own.
__global__ void opposite(const double *x, double *y) {
  __shared__ double numbers[32], sums[32];
  const int t = threadIdx.x;
  numbers[t] = x[t];
  __syncthreads();
  double m = -INFINITY, sum = 0.0;
  for (int k = 0; k < 32; ++k) m = -fmin(-m, -numbers[(t + k) % 32]);
  sums[t] = exp(x[t] - m);
  __syncthreads();
  for (int k = 0; k < 32; ++k) sum += sums[k];
  y[t] = x[t] - m - log(sum);
}

// By macros, which compute the number that is taken once more.
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
__global__ void by_macros(const float *x, float *y, int n) {
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < n; ++k) {
    const float there = cosf(x[k]) - 1.f;
    sum += LARGER(sinf(x[i] * k), there) * SMALLER(sinf(x[i] * k), there) * LARGER(-there, there);
  }
  y[2 * i] = LARGER(tanhf(x[i]), 0.f) + 0.1f * SMALLER(tanhf(x[i]), 0.f);
  y[2 * i + 1] = sum;
}

// What is not taken has no derivative, whatever comes in.
__global__ void clamped(const float *a, float *y) {
  const int i = threadIdx.x;
  const float v = a[i];
  y[i] = sqrtf(fmaxf(v, 0.f)) + powf(fmaxf(v, 0.f), 1 / 2.2f) + acosf(fminf(fmaxf(4 * v + 5, -1.f), 1.f)) +
         sqrtf(__saturatef(v)) + cbrtf(fmaxf(0.f, v)) + sqrtf(v > 0 ? v : 0.f) + sqrtf(fdimf(v, 0.f)) +
         sqrtf((v > 0) * v) + sqrtf((v > 0 ? 1.f : 0.f) * v) + sqrtf(0 * v) + logf(1 + fmodf(0.5f, 2 + v * v));
}

// Masks that are infinite, where the result discards them.
__global__ void masked(const double *q, const double *k, const double *v, const int *valid, const double *scale,
                       double *y, int n) {
  const int i = threadIdx.x;
  double m = -INFINITY, sum = 0.0, result = 0.0;
  for (int j = 0; j < n; ++j) m = fmax(m, (valid[j] ? q[i] * k[j] : -HUGE_VAL) * scale[0]);
  for (int j = 0; j < n; ++j) {
    const double e = exp((valid[j] ? q[i] * k[j] : -1.0 / 0.0) * scale[0] - m);
    sum += e;
    result += e * v[j];
  }
  const double unknown = valid[i] ? q[i] : NAN;
  y[i] = result / sum + (valid[i] ? unknown * q[i] : 0.0);
}
