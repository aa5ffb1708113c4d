// Numbers of sixteen bits in shared memory: a tiled matrix product with float sums, and pairs exchanged in the block.
#include <cuda_fp16.h>

constexpr int TILE = 4;

__global__ void half_product(const __half *a, const __half *b, __half *c, int n) {
  __shared__ __half left[TILE][TILE];
  __shared__ __half right[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < n / TILE; ++t) {
    left[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += __half2float(left[threadIdx.y][k]) * __half2float(right[k][threadIdx.x]);
    __syncthreads();
  }
  c[row * n + column] = __float2half(sum);
}

__global__ void half_exchange(const __half *x, __half *y, int n) {
  __shared__ __half tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] * x[i] : __half(0.0f);
  __syncthreads();
  __half other = tile[31 - threadIdx.x];
  __syncthreads();
  tile[threadIdx.x] = other * tile[threadIdx.x];
  __syncthreads();
  if (i < n) y[i] = tile[(threadIdx.x + 1) % 32] + other;
}

__global__ void half_dynamic(const __half *x, __half *y, int n) {
  extern __shared__ unsigned char memory[];
  __half *tile = reinterpret_cast<__half *>(memory);
  float *wide = reinterpret_cast<float *>(tile + 32);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : __half(0.0f);
  wide[threadIdx.x] = __half2float(tile[threadIdx.x]) * 0.5f;
  __syncthreads();
  if (i < n) y[i] = tile[31 - threadIdx.x] * __float2half(wide[(threadIdx.x + 3) % 32]);
}

// Its adjoint takes twice as much, more than a kernel may declare.
__global__ void half_large(const __half *x, __half *y, int n) {
  __shared__ __half tile[9001];
  __shared__ float weight[3];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 3) weight[t] = 0.5f + t;
  tile[281 * t] = i < n ? x[i] * x[i] : __half(0.0f);
  __syncthreads();
  if (i < n) y[i] = __float2half(weight[t % 3] * __half2float(tile[281 * (31 - t)]));
}

// Many small contributions to one half, beside doubles and pairs.
__global__ void half_dynamic_sum(const __half *x, const double *w, double *y, int n) {
  extern __shared__ __half2 pairs[];
  double *wide = reinterpret_cast<double *>(pairs + 16);
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 16) pairs[t] = __halves2half2(x[2 * t], x[2 * t + 1]);
  wide[t] = i < n ? w[i] : 0.0;
  __syncthreads();
  if (i >= n) return;
  __half2 first = pairs[0], own = pairs[t % 16];
  y[i] = 1e-3 * __half2float(__low2half(first)) * wide[31 - t] + __half2float(__high2half(own)) * wide[t];
}
