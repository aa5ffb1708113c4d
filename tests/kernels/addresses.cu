// Addresses as numbers: alignment that is asked for, bytes that are counted, memory that is carved; and memory seen as
// another type through a reference.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// Vectors where all of the addresses are aligned, numbers elsewhere.
__global__ void by_alignment(const float *a, const float *b, float *y, int n) {
  __shared__ float tile[32];
  int i = threadIdx.x;
  tile[i] = a[i] * b[i];
  __syncthreads();
  const float *p = a + 4 * i;
  const float *t = tile + 4 * (i % 8);
  float *q = y + 4 * i;
  bool whole = 4 * i + 3 < n;
  if (whole && reinterpret_cast<uintptr_t>(p) % 16 == 0 && ((size_t)q & 15) == 0 && (uintptr_t)t % 16 == 0) {
    float4 u = *reinterpret_cast<const float4 *>(p);
    float4 w = *reinterpret_cast<const float4 *>(t);
    u.x *= w.x;
    u.y *= w.y;
    u.z *= w.z;
    u.w *= w.w;
    *reinterpret_cast<float4 *>(q) = u;
  } else {
    for (int k = 0; k < 4 && 4 * i + k < n; k++) q[k] = p[k] * t[k];
  }
}

// The elements before the first aligned one are done by themselves.
__global__ void by_peeling(const float *x, float *y, int n) {
  const float *p = x + 3;
  int skipped = (int)(((uintptr_t)p & 15) / sizeof(float));
  int first = skipped == 0 ? 0 : 4 - skipped;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 3) return;
  y[i] = i < first ? p[i] * p[i] : p[i] * p[i] * p[i] / p[i];
}

// One of two arrays, or none.
__global__ void by_choice(const float *x, const float *z, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *p = i % 3 == 0 ? x : i % 3 == 1 ? z + 1 : nullptr;
  uintptr_t address = (uintptr_t)p;
  float own = x[i];
  y[i] = address == 0 ? own * own : address % 4 == 0 && (uintptr_t)&own != 0 ? own * p[0] : 0;
}

// Steps in bytes, from a name and back.
__global__ void by_bytes(const float *cloud, float *y, int step, int n) {
  uintptr_t base = (uintptr_t)cloud;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *p = (const float *)(base + i * step);
  const float *q = (const float *)(4 + (size_t)p);
  const float *r = reinterpret_cast<const float *>(reinterpret_cast<uintptr_t>(q) - sizeof(float) * (i > 0));
  y[i] = p[0] * q[0] + r[0];
}

// Arrays of two types in the dynamic shared memory, the second at the next multiple of eight bytes.
__global__ void carved(const float *x, float *y, int n) {
  extern __shared__ char raw[];
  float *s = (float *)raw;
  double *d = (double *)(((uintptr_t)(s + n) + 7) & ~(uintptr_t)7);
  int i = threadIdx.x;
  if (i < n) {
    s[i] = x[i] * x[i];
    d[i] = 2.0 * x[i];
  }
  __syncthreads();
  if (i < n) y[i] = s[n - 1 - i] * d[n - 1 - i];
}

// The address of a variable, and of an object, made a pointer again.
__global__ void of_locals(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  float2 w{v, 2 * v};
  float *p = (float *)(uintptr_t)&v;
  float2 *q = (float2 *)(uintptr_t)&w;
  y[i] = *p * q->y + ((uintptr_t)&w % 8 == 0 ? q->x : 0);
}

// Casts to references.
__global__ void by_reference(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 >= n) return;
  float4 v = reinterpret_cast<const float4 &>(x[4 * i]);
  float own[2] = {v.x, v.y};
  float2 &both = (float2 &)own;
  int &bits = (int &)v.w;
  float larger = reinterpret_cast<int &>(v.z) > bits ? v.z : v.w;
  bits &= 0x7fffffff;
  (float4 &)y[4 * i] = float4{both.x * both.y, larger * larger, v.z, v.x};
}

// What a number is converted to is not what its bits are.
__global__ void by_value(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = 7 * x[i];
  int whole = (int)(v);
  y[i] = v * whole + float(whole) * static_cast<const float &>(v);
}
