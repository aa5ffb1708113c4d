// Numbers of sixteen bits: what is computed with them, and how they lie in memory.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ inline int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void half_operators(const __half *x, __half *y, __half a, int n) {
  int i = thread();
  if (i >= n) return;
  __half v = x[i], w = -v + a;
  w *= v;
  w -= __half(0.5f) / (v + __half(1));
  ++w;
  w--;
  if (w > v && v != __half(0)) w = w * v;
  y[i] += w;
}

__global__ void half_functions(const half *x, half *y, int n) {
  int i = thread();
  if (i >= n) return;
  half v = x[i];
  half s = __hadd(hexp(v), __hmul(hlog(v), hsqrt(v)));
  s = __hfma(hsin(v), hcos(v), s);
  s = __hsub(s, __hdiv(hrcp(v), hrsqrt(v)));
  s = __hadd(s, __hmul(htanh(v), __hadd(hexp2(v), hlog2(v))));
  s = __hadd(s, __hmax(v, __float2half(0.6f)));
  s = __hadd(s, __hmin(__hneg(v), __habs(__hsub(v, __float2half_rn(0.7f)))));
  s = __hadd(s, __hfma_relu(v, v, __float2half_rn(-0.4f)));
  s = __hadd(s, __hadd_sat(v, __float2half_rd(-0.3f)));
  s = __hadd(s, __hadd(hlog10(v), hexp10(v)));
  y[i] = __hlt(v, __float2half(0.5f)) ? s : __hmul(s, hrint(__hmul(v, __float2half(4.0f))));
}

__global__ void half_conversions(const float *x, const double *z, __half *h, float *y, int n) {
  int i = thread();
  if (i >= n) return;
  __half a = x[i];
  __half b = z[i];
  h[i] = a * b;
  double d = h[i];
  int whole = __half2int_rz(a) + (int)b;
  y[i] = __half2float(a) * (float)d + float(__int2half_rn(whole + i)) * x[i];
}

// tiny contributions, which are lost where a half sums them up
__global__ void sum_in_float(const __half *x, const __half *w, float *y, int n) {
  int i = thread();
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += __half2float(x[k]) * __half2float(__hmul(w[0], x[(i + k) % n]));
  y[i] = sum;
}

__global__ void sum_in_half(const __half *x, __half *y, int n) {
  int i = thread();
  if (i >= n) return;
  __half sum = 0;
  for (int k = 0; k <= i % 7; ++k) sum = __hfma(x[i], x[(i + k) % n], sum);
  y[i] = sum;
}

__global__ void local_halves(const __half *x, __half *y, int n) {
  int i = thread();
  if (i >= n) return;
  __half window[4] = {};
  for (int k = 0; k < 4; ++k) window[k] = x[(i + k) % n] * __half(k + 1);
  for (int step = 0; step < 3; ++step)
    for (int k = 1; k < 4; ++k) window[k] = window[k] * window[k - 1] + x[i];
  y[i] = window[3];
}

__device__ __half weight(__half v, __half w) { return v * v * w; }
__device__ __noinline__ void scaled(const __half *x, __half *out, __half by) { *out = *x * by; }
__global__ void half_calls(const __half *x, __half *y, int n) {
  int i = thread();
  if (i >= n) return;
  __half s;
  scaled(x + i, &s, weight(x[i], x[(i + 1) % n]));
  y[i] = s * weight(s, x[i]);
}

__device__ __half series(__half v, int depth) {
  return depth == 0 ? __half(1.0f) : v * series(v, depth - 1) + __half(1.0f);
}
__global__ void half_recursion(const __half *x, __half *y, int n) {
  int i = thread();
  if (i < n) y[i] = series(x[i], i % 4);
}

struct Rows {
  const __half *x;
  __half *y;
};
__global__ void pointers_to_halves(Rows rows, int n) {
  int i = thread();
  if (i < n) rows.y[i] = rows.x[i] * rows.x[i];
}

__global__ void bfloat_operators(const __nv_bfloat16 *x, __nv_bfloat16 *y, float *f, __nv_bfloat16 a, int n) {
  int i = thread();
  if (i >= n) return;
  __nv_bfloat16 v = x[i] * a + hexp(x[i]);
  if (v > __float2bfloat16(2.0f)) v = v / x[i];
  y[i] = v;
  f[i] = __bfloat162float(v) * float(x[i]);
}

template <class T>
__device__ float widened(T v) {
  return static_cast<float>(v);
}
template <class T>
__global__ void layer(const T *x, const T *gain, T *y, int n) {
  int i = thread();
  if (i >= n) return;
  float mean = 0.0f, square = 0.0f;
  for (int k = 0; k < 4; ++k) {
    float v = widened(x[4 * i + k]);
    mean += v / 4;
    square += v * v / 4;
  }
  float scale = rsqrtf(square - mean * mean + 1e-2f);
  for (int k = 0; k < 4; ++k) y[4 * i + k] = T((widened(x[4 * i + k]) - mean) * scale * widened(gain[k]));
}

// A sign and an exponent by their bits, and numbers made of bits: none of them carries a derivative.
__global__ void bits_of_halves(const __half *x, const __nv_bfloat16 *z, float *y, int n) {
  int i = thread();
  if (i >= n) return;
  __half h = x[i];
  const unsigned short *bits = reinterpret_cast<const unsigned short *>(z);
  float v = sinf(float(h));
  if (*reinterpret_cast<short *>(&h) < 0) v *= v;
  if (bits[i] < 0x3f00) v *= float(z[i]);
  unsigned short two = 0x4000;
  short three = 0x4040;
  y[i] = v * float(*reinterpret_cast<__half *>(&two)) * float(*reinterpret_cast<__nv_bfloat16 *>(&three));
}
