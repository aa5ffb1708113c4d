// Memory that is moved as objects of another class: the bits are moved, and with them the derivatives.
#include <cuda_fp16.h>

__device__ inline int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void floats_as_integers(const float *x, float *y, int n) {
  int i = thread();
  if (4 * i + 3 < n) *reinterpret_cast<int4 *>(&y[4 * i]) = *reinterpret_cast<const int4 *>(&x[4 * i]);
}

__global__ void doubles_as_vectors(const double *x, double *y, int n) {
  int i = thread();
  if (2 * i + 1 >= n) return;
  ulonglong2 v = reinterpret_cast<const ulonglong2 *>(x)[i];
  ulonglong2 other = v;
  reinterpret_cast<ulonglong2 *>(y)[n / 2 - 1 - i] = other;
}

__global__ void changed_on_the_way(const float *x, float *y, int n) {
  int i = thread();
  if (4 * i + 3 >= n) return;
  uint4 raw = __ldg(reinterpret_cast<const uint4 *>(x) + i);
  float *f = reinterpret_cast<float *>(&raw);
  for (int k = 0; k < 4; ++k) f[k] = f[k] * f[(k + 1) % 4];
  __stcs(reinterpret_cast<uint4 *>(y) + i, raw);
}

__global__ void moved_in_place(float *x, int n) {
  int i = thread();
  if (8 * i + 7 >= n) return;
  int4 *v = reinterpret_cast<int4 *>(x) + 2 * i;
  int4 first = v[0];
  v[0] = v[1];
  v[1] = first;
  x[8 * i] = x[8 * i] * x[8 * i + 4];
}

__global__ void halves_as_vectors(const __half *x, __half *y, int n) {
  int i = thread();
  if (8 * i + 7 < n) reinterpret_cast<float4 *>(y)[i] = reinterpret_cast<const float4 *>(x)[i];
}

__global__ void eight_halves(const __half *x, __half *y, int n) {
  int i = thread();
  if (8 * i + 7 >= n) return;
  float4 raw = reinterpret_cast<const float4 *>(x)[i];
  half2 *h = reinterpret_cast<half2 *>(&raw);
#pragma unroll
  for (int k = 0; k < 4; ++k) h[k] = __hmul2(h[k], __lowhigh2highlow(h[k]) + h[0]);
  reinterpret_cast<float4 *>(y)[i] = raw;
}

struct alignas(16) Eight {
  half2 h[4];
};
__global__ void eight_halves_of_a_class(const __half *x, __half *y, int n) {
  int i = thread();
  if (8 * i + 7 >= n) return;
  Eight v = *reinterpret_cast<const Eight *>(&x[8 * i]);
  for (int k = 0; k < 4; ++k) v.h[k] = v.h[k] * v.h[3 - k];
  *reinterpret_cast<Eight *>(&y[8 * i]) = v;
}

// Through dynamic shared memory, as vectors of integers.
__global__ void out_of_dynamic(const float *x, float *y) {
  extern __shared__ float numbers[];
  int i = threadIdx.x;
  for (int k = 0; k < 4; k++) numbers[4 * i + k] = x[4 * i + k] * x[4 * i + k];
  __syncthreads();
  int4 v = *(int4 *)&numbers[4 * (31 - i)];
  *(int4 *)&y[4 * i] = v;
}

__global__ void into_dynamic(const __half *x, __half *y) {
  extern __shared__ unsigned char bytes[];
  __half *h = reinterpret_cast<__half *>(bytes);
  int i = threadIdx.x;
  *(uint4 *)&h[8 * i] = *(const uint4 *)&x[8 * i];
  __syncthreads();
  for (int k = 0; k < 8; k++) y[8 * i + k] = h[8 * (31 - i) + k] * h[8 * (31 - i)];
}

__global__ void declared_as_vectors(const float *x, float *y) {
  extern __shared__ uint4 vectors[];
  int i = threadIdx.x;
  vectors[i] = ((const uint4 *)x)[i];
  __syncthreads();
  float *f = (float *)&vectors[31 - i];
  f[0] *= f[3];
  __syncthreads();
  ((uint4 *)y)[i] = vectors[i];
}

// Integers that are integers, behind the numbers.
__global__ void integers_behind(const float *x, const int *w, float *y) {
  extern __shared__ float numbers[];
  int4 *k = (int4 *)(numbers + 32);
  int i = threadIdx.x;
  numbers[i] = x[i] * x[i];
  k[i].x = w[i];
  k[i].y = 3;
  __syncthreads();
  y[i] = numbers[31 - i] * numbers[31 - i] * k[31 - i].x + k[i].y;
}

// Objects of integers that are made as numbers.
__global__ void made_as_floats(const float *x, float *y) {
  int i = threadIdx.x;
  uint4 a = ((const uint4 *)x)[i], o = {};
  for (int k = 0; k < 4; k++) ((float *)&o)[k] = ((float *)&a)[k] * ((const float *)&a)[3 - k];
  ((uint4 *)y)[i] = o;
}

struct alignas(16) Bits {
  unsigned bits[4];
};
__global__ void made_as_pairs(const __half *x, __half *y) {
  int i = threadIdx.x;
  Bits a = ((const Bits *)x)[i], o;
  __half2 *h = reinterpret_cast<__half2 *>(&o);
  for (int k = 0; k < 4; k++) h[k] = __hmul2(((__half2 *)&a)[k], ((const __half2 *)&a)[3 - k]);
  ((Bits *)y)[i] = o;
}

struct Sums {
  float all, of[2];
  int count;
};
__global__ void cleared(const float *x, float *y, int n) {
  float bins[2][3], left[8];
  Sums sums[2];
  memset(bins, 0, sizeof bins);
  memset(left, 0, n * sizeof(float));
  memset(&sums[0], 0, 2 * sizeof(Sums));
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = n; k < 8; k++) left[k] = 1;
  bins[i % 2][i % 3] += x[i] * x[i];
  left[i % 8] += x[i];
  sums[1].of[i % 2] += x[i];
  sums[1].all += sums[1].of[1] * left[i % 8];
  y[i] = bins[i % 2][i % 3] * sums[1].all + sums[0].all + left[i % 8] * left[2] + sums[1].count;
}

__global__ void cleared_for_all(const float *x, float *y) {
  __shared__ float sums[16];
  if (threadIdx.x == 0) memset(sums, 0, sizeof(sums));
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[threadIdx.x / 2], x[i] * x[i]);
  __syncthreads();
  y[i] = sums[threadIdx.x / 2] * sums[0];
}
