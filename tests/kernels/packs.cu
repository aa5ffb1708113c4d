// Halves that programs keep in integers and in floats, in variables of their own, in arrays and in members.
#include <cuda_fp16.h>
#include <type_traits>

// A vector of floats is made member by member.
__global__ void by_members(const __half *x, const __half *y, __half *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (8 * i + 8 > n) return;
  float4 a = *reinterpret_cast<const float4 *>(x + 8 * i);
  float4 b = *reinterpret_cast<const float4 *>(y + 8 * i);
  float4 c;
  *reinterpret_cast<__half2 *>(&c.x) = __hmul2(*reinterpret_cast<__half2 *>(&a.x), *reinterpret_cast<__half2 *>(&b.y));
  *reinterpret_cast<__half2 *>(&c.y) = __hmul2(*reinterpret_cast<__half2 *>(&a.y), *reinterpret_cast<__half2 *>(&b.x));
  *reinterpret_cast<__half2 *>(&c.z) = __hadd2(*reinterpret_cast<__half2 *>(&a.z), *reinterpret_cast<__half2 *>(&b.w));
  *reinterpret_cast<__half2 *>(&c.w) = __hmul2(*reinterpret_cast<__half2 *>(&a.w), *reinterpret_cast<__half2 *>(&b.w));
  *reinterpret_cast<float4 *>(z + 8 * i) = c;
}

__global__ void in_an_integer(const __half *x, const __half *y, __half *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 >= n) return;
  unsigned a = *(const unsigned *)(x + 2 * i), b = *(const unsigned *)(y + 2 * i), c;
  *(__half2 *)&c = __hmul2(*(__half2 *)&a, *(__half2 *)&b);
  *(unsigned *)(z + 2 * i) = c;
}

// The members of a vector of integers get the bits of pairs.
__global__ void bits_of_pairs(const float *x, __half *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 >= n) return;
  __half2 low = __floats2half2_rn(x[4 * i], x[4 * i + 1] * x[4 * i + 2]);
  __half2 high = __floats2half2_rn(x[4 * i + 2] * x[4 * i], x[4 * i + 3]);
  uint2 c;
  c.x = reinterpret_cast<unsigned &>(high);
  c.y = *(unsigned *)&low;
  reinterpret_cast<uint2 *>(z)[i] = c;
}

__global__ void listed(const float *x, __half *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 >= n) return;
  __half2 low = __floats2half2_rn(x[4 * i], x[4 * i + 1] * x[4 * i + 2]);
  __half2 high = __floats2half2_rn(x[4 * i + 2] * x[4 * i], x[4 * i + 3]);
  uint2 c = {*(unsigned *)&low, *(unsigned *)&high};
  unsigned words[2] = {c.y, c.x};
  if (i % 2 == 0) c.x = words[0];
  ((uint2 *)z)[i] = c;
}

__global__ void array_of_words(const __half *x, __half *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (8 * i + 8 > n) return;
  unsigned words[4];
  for (int k = 0; k < 4; k++) words[k] = ((const unsigned *)(x + 8 * i))[k];
  for (int k = 0; k < 4; k++) {
    float2 f = __half22float2(*(__half2 *)&words[k]);
    *(__half2 *)&words[k] = __floats2half2_rn(f.x * f.y, f.y * f.y);
  }
  *(uint4 *)(z + 8 * i) = *(uint4 *)words;
}

// Vectors of integers as members: what libraries for attention load by.
template <int N>
struct Halves {
  int4 data[N / 8];
  __device__ __half &operator[](int i) { return ((__half *)data)[i]; }
  __device__ void load(const __half *from) {
    for (int k = 0; k < N / 8; k++) data[k] = ((const int4 *)from)[k];
  }
  __device__ void store(__half *to) const {
    for (int k = 0; k < N / 8; k++) ((int4 *)to)[k] = data[k];
  }
};

template <>
struct Halves<4> {
  uint2 data;
  __device__ __half &operator[](int i) { return ((__half *)(&data))[i]; }
  __device__ void fill(__half v) {
    *(__half2 *)(&data.x) = __half2half2(v);
    *(__half2 *)(&data.y) = __half2half2(v);
  }
  __device__ void load(const __half *from) { data = *((const uint2 *)from); }
  __device__ void store(__half *to) const { *((uint2 *)to) = data; }
};

template <int N>
__device__ void squares(const __half *x, __half *z) {
  Halves<N> v, w;
  v.load(x);
  for (int k = 0; k < N; k++) w[k] = __float2half(__half2float(v[k]) * __half2float(v[N - 1 - k]));
  w.store(z);
}

__global__ void members_of_a_class(const __half *x, __half *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (16 * i + 16 <= n) squares<16>(x + 16 * i, z + 16 * i);
}

__global__ void one_member(const __half *x, __half *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 4 > n) return;
  squares<4>(x + 4 * i, z + 4 * i);
  Halves<4> sum;
  sum.fill(x[4 * i]);
  z[4 * i] += sum[3] * sum[0];
}

// As a class of bytes, and through pointers of which the block chooses one.
struct Lists {
  float *addresses[3][2];
  int lengths[2];
};

template <typename T>
__device__ void load_store(T *to, T *from, int at, int of) {
  typedef typename std::aligned_storage<4 * sizeof(T), 4 * alignof(T)>::type Four;
  ((Four *)to)[at] = ((Four *)from)[of];
}

__global__ void by_chosen_pointers(float *x, float *y, float *z, float a, int n) {
  Lists lists;
  for (int k = 0; k < 2; k++) {
    lists.addresses[0][k] = k == 0 ? x : y;
    lists.addresses[1][k] = k == 0 ? y : x;
    lists.addresses[2][k] = z;
    lists.lengths[k] = n;
  }
  float *from = lists.addresses[0][blockIdx.x], *other = lists.addresses[1][blockIdx.x];
  float *to = lists.addresses[2][blockIdx.x] + blockIdx.x * n;
  float one[4], two[4], out[4];
  for (int i = threadIdx.x; 4 * i < lists.lengths[blockIdx.x]; i += blockDim.x) {
    load_store(one, from, 0, i);
    load_store(two, other, 0, i);
    for (int k = 0; k < 4; k++) out[k] = a * one[k] + one[k] * two[k];
    load_store(to, out, i, 0);
  }
}

// Bytes that a block divides among vectors, numbers and integers.
struct alignas(16) Four {
  float x, y, z, w;
};

__global__ void divided_bytes(const float *x, const int *kinds, const float *table, float *y, int n) {
  __shared__ unsigned char bytes[32 * sizeof(Four) + 32 * sizeof(float) + 32 * sizeof(int)];
  unsigned char *at = bytes;
  Four *points = reinterpret_cast<Four *>(at);
  at += 32 * sizeof(Four);
  float *sums = reinterpret_cast<float *>(at);
  at += 32 * sizeof(float);
  int *types = reinterpret_cast<int *>(at);
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  Four p = {0, 0, 0, 0};
  if (4 * i + 3 < n) p = {x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]};
  points[t] = p;
  types[t] = 4 * i + 3 < n ? kinds[i] : 0;
  __syncthreads();
  Four q = points[31 - t];
  sums[t] = q.x * q.w + q.y * q.y * table[types[31 - t]];
  __syncthreads();
  if (4 * i + 3 < n) y[i] = sums[t] * sums[(t + 1) % 32] * points[t].z;
}

// By a member that is nothing but a name for all of a union.
template <class T, int N> using Storage = typename std::aligned_storage<N * sizeof(T), N * sizeof(T)>::type;

template <class T, int N> union Stored {
  __device__ Stored() {}
  Storage<T, N> storage;
  T each[N];
};

template <int N> __global__ void by_storage(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (N * i + N > n) return;
  Stored<float, N> from, to;
  from.storage = *(reinterpret_cast<const Storage<float, N> *>(x) + i);
  for (int k = 0; k < N; ++k) to.each[k] = from.each[k] * from.each[(k + 1) % N];
  *(reinterpret_cast<Storage<float, N> *>(y) + i) = to.storage;
}
template __global__ void by_storage<1>(const float *, float *, int);
template __global__ void by_storage<4>(const float *, float *, int);

template <int N> __global__ void masked(const float *x, const bool *mask, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (N * i + N > n) return;
  Stored<signed char, N> kept;
  kept.storage = *(reinterpret_cast<const Storage<bool, N> *>(mask) + i);
  for (int k = 0; k < N; ++k) y[N * i + k] = kept.each[k] == 0 ? 1.0f : x[N * i + k] * x[N * i + k];
}
template __global__ void masked<1>(const float *, const bool *, float *, int);
template __global__ void masked<2>(const float *, const bool *, float *, int);
