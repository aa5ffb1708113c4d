// Pairs of numbers of sixteen bits, numbers in classes, and what memory operations there are for them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ inline int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void half_pairs(const __half2 *x, __half2 *y, float2 *f, int n) {
  int i = thread();
  if (i >= n) return;
  half2 v = x[i];
  half2 s = __hfma2(v, __lowhigh2highlow(v), __float2half2_rn(0.5f));
  s = __hadd2(s, h2exp(__hneg2(v))) * v;
  s += __halves2half2(__high2half(v), __float2half(__low2float(v)));
  s.x = s.x / v.y;
  if (__hbgt2(s, v)) s = __hmul2(s, make_half2(v.x, 2.0f));
  y[i] = s;
  float2 wide = __half22float2(s);
  f[i].x = wide.x * wide.y;
  f[i].y = __low2float(__floats2half2_rn(wide.x, wide.y));
}

__global__ void pairs_of_numbers(const __half *x, __half *y, int n) {
  int i = thread();
  if (2 * i + 1 >= n) return;
  half2 v = *reinterpret_cast<const half2 *>(&x[2 * i]);
  v = __hmul2(v, v);
  reinterpret_cast<half2 *>(y)[i] = v;
}

__global__ void half_atomics(const __half *x, __half *total, int n) {
  int i = thread();
  if (i < n) atomicAdd(&total[i % 3], x[i] * x[i]);
}

__global__ void half_scalar(const __half *x, __half *y, __half a, __half2 b, int n) {
  int i = thread();
  if (i < n) y[i] = a * x[i] + b.x * b.y;
}

struct Cell {
  __half mass;
  __half2 at;
  float charge;
};
__global__ void halves_in_classes(const Cell *cells, Cell *out, int n) {
  int i = thread();
  if (i >= n) return;
  Cell c = cells[i];
  c.mass = c.mass * c.at.x;
  c.charge *= __half2float(c.at.y);
  out[i] = c;
}

__global__ void bfloat_pairs(const __nv_bfloat162 *x, __nv_bfloat162 *y, int n) {
  int i = thread();
  if (i >= n) return;
  nv_bfloat162 v = __ldg(&x[i]);
  y[i] = __hfma2(v, v, h2sqrt(v)) - __lowhigh2highlow(v);
}

__global__ void cached_halves(const __half *x, __half *y, const half2 *p, half2 *q, int n) {
  int i = thread();
  if (i >= n) return;
  __stcs(&y[i], __ldg(x + i) * __ldcs(&x[i]));
  __stcg(q + i, __ldca(&p[i]) * __ldcg(&p[i]));
}

struct Halves {
  const __half *x;
  const __half2 *pairs;
  __half *y;
};
__global__ void halves_behind_members(Halves v, int n) {
  int i = thread();
  if (i < n) v.y[i] = v.x[i] * v.x[i] * v.pairs[i].x + v.pairs[i].y;
}

// Vectors of floats that move halves.
__global__ void in_float4(const half *x, half *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (8 * i + 7 >= n) return;
  float4 from = reinterpret_cast<const float4 *>(x)[i];
  float4 to;
  half2 *given = reinterpret_cast<half2 *>(&from), *made = reinterpret_cast<half2 *>(&to);
  for (int k = 0; k < 4; ++k) made[k] = __hmul2(given[k], given[3 - k]);
  reinterpret_cast<float4 *>(y)[i] = to;
}

// What is written as halves is read as floats: to C++ these never meet, to nvcc they do.
__global__ void masked_in_float4(const half *x, const half *mask, half *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (8 * i + 7 >= n) return;
  float4 from = reinterpret_cast<const float4 *>(x)[i];
  float4 masks = reinterpret_cast<const float4 *>(mask)[i];
  float4 *const place = reinterpret_cast<float4 *>(y) + i;
  half2 *given = reinterpret_cast<half2 *>(&from), *by = reinterpret_cast<half2 *>(&masks);
  float4 to;
  half2 *made = reinterpret_cast<half2 *>(&to);
  const half2 low = __float2half2_rn(0.7f);
  for (int k = 0; k < 4; ++k) made[k] = __hmul2(__hgt2(by[k], low), given[k]);
  *place = to;
}
