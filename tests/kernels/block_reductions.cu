// Sums over a block in the styles that programs are written in, at any block size.
#if defined(__HIP_PLATFORM_AMD__)
#include <groups/cooperative_groups.h>
#else
#include <cooperative_groups.h>
#endif
namespace cg = cooperative_groups;

// Neighbours first: strides grow, and every other thread goes idle.
__global__ void strided(const double *x, double *out, int n) {
  extern __shared__ double s[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? x[i] * x[i] * x[i] : 0.0;
  __syncthreads();
  for (unsigned int step = 1; step < blockDim.x; step *= 2) {
    if (tid % (2 * step) == 0 && tid + step < blockDim.x) s[tid] += s[tid + step];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0] * s[0];
}

// The same with threads that stay together, indexed by the stride.
__global__ void strided_index(const double *x, double *out, int n) {
  extern __shared__ double s[];
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? sin(x[i]) : 0.0;
  __syncthreads();
  for (unsigned int step = 1; step < blockDim.x; step *= 2) {
    unsigned int index = 2 * step * tid;
    if (index + step < blockDim.x) s[index] += s[index + step];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = exp(-s[0] / n);
}

// From the far end, for sizes that are no power of two.
__global__ void far_end(const double *x, const double *w, double *out, int n) {
  extern __shared__ double s[];
  const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? x[i] * w[i] : 0.0;
  __syncthreads();
  for (int size = blockDim.x; size > 1;) {
    const int half = (size + 1) / 2;
    if (tid < size / 2) s[tid] += s[tid + half];
    size = half;
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0] * w[0];
}

// A product: each step multiplies what is there.
__global__ void product(const double *x, double *out, int n) {
  extern __shared__ double s[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? 0.75 + 0.3 * x[i] : 1.0;
  __syncthreads();
  for (int size = blockDim.x; size > 1;) {
    int half = (size + 1) >> 1;
    if (tid + half < size) s[tid] *= s[tid + half];
    __syncthreads();
    size = half;
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

// Two elements per thread on the way in, the last warp by itself.
template <unsigned int SIZE>
__global__ void unrolled(const double *x, double *out, unsigned int n) {
  __shared__ double s[SIZE];
  unsigned int tid = threadIdx.x, i = blockIdx.x * (SIZE * 2) + tid;
  double mine = i < n ? x[i] * x[i] : 0.0;
  if (i + SIZE < n) mine += x[i + SIZE] * x[i];
  s[tid] = mine;
  __syncthreads();
  if (SIZE >= 1024) {
    if (tid < 512) s[tid] = mine = mine + s[tid + 512];
    __syncthreads();
  }
  if (SIZE >= 512) {
    if (tid < 256) s[tid] = mine = mine + s[tid + 256];
    __syncthreads();
  }
  if (SIZE >= 256) {
    if (tid < 128) s[tid] = mine = mine + s[tid + 128];
    __syncthreads();
  }
  if (SIZE >= 128) {
    if (tid < 64) s[tid] = mine = mine + s[tid + 64];
    __syncthreads();
  }
  if (tid < 32) {
    if (SIZE >= 64) mine += s[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
  }
  if (tid == 0) out[blockIdx.x] = sqrt(mine);
}

// The last warp in shared memory, with what the old volatile code lacks.
__device__ void last_warp(double *s, int tid) {
  double v = s[tid];
  v += s[tid + 32];
  __syncwarp();
  s[tid] = v;
  __syncwarp();
#pragma unroll
  for (int k = 16; k > 0; k >>= 1) {
    v += s[tid + k];
    __syncwarp();
    s[tid] = v;
    __syncwarp();
  }
}

__global__ void last_warp_in_shared(const double *x, double *out, int n) {
  __shared__ double s[1024];
  int tid = threadIdx.x;
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) sum += cos(x[i]) * x[i];
  s[tid] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 32; k >>= 1) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid < 32) last_warp(s, tid);
  if (tid == 0) out[blockIdx.x] = s[0];
}

// Two levels: each warp by shuffles, then the first warp over what the warps left.
__inline__ __device__ double warp_sum(double v) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

__inline__ __device__ double block_sum(double v) {
  static __shared__ double partial[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  v = warp_sum(v);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / warpSize ? partial[lane] : 0.0;
  if (warp == 0) v = warp_sum(v);
  return v;
}

__global__ void two_levels(const double *x, double *out, int n) {
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += x[i] * x[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum * sum;
}

// One number for the whole grid.
__global__ void loss(const double *x, const double *target, double *total, int n) {
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    double d = x[i] - target[i];
    sum += fabs(d) < 0.3 ? 0.5 * d * d : 0.3 * (fabs(d) - 0.15);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(total, sum / n);
}

// The result comes back to every thread, twice: the scratch memory is used again.
__device__ double all_sum(double v) {
  __shared__ double partial[32];
  __shared__ double result;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = (blockDim.x + 31) / 32;
  int live = min(32, (int)blockDim.x - 32 * warp);
  unsigned mask = live == 32 ? 0xffffffffu : (1u << live) - 1u;
  for (int offset = 16; offset > 0; offset >>= 1) {
    double other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < live) v += other;
  }
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    double sum = 0.0;
    for (int w = 0; w < warps; ++w) sum += partial[w];
    result = sum;
  }
  __syncthreads();
  return result;
}

__global__ void standardised(const double *x, double *y, int n) {
  const double *row = x + blockIdx.x * n;
  double mine = threadIdx.x < n ? row[threadIdx.x] : 0.0;
  double mean = all_sum(mine) / n;
  double d = threadIdx.x < n ? mine - mean : 0.0;
  double variance = all_sum(d * d) / n;
  if (threadIdx.x < n) y[blockIdx.x * n + threadIdx.x] = d / sqrt(variance + 1e-3);
}

// Cooperative groups, any number of threads in the last tile being impossible: blocks of whole warps.
__global__ void by_groups(const double *x, double *out, int n) {
  __shared__ double partial[32];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  double sum = 0.0;
  for (int i = block.group_index().x * block.size() + block.thread_rank(); i < n; i += block.size() * gridDim.x)
    sum += x[i] * exp(-x[i]);
  for (int k = tile.size() / 2; k > 0; k /= 2) sum += tile.shfl_down(sum, k);
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    double all = 0.0;
    for (int w = 0; w < tile.meta_group_size(); ++w) all += partial[w];
    out[blockIdx.x] = all;
  }
}

// Threads of a plane reduce along x, then along y.
__global__ void plane(const double *x, double *rows, double *out, int width) {
  __shared__ double s[32][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  s[ty][tx] = x[(blockIdx.x * blockDim.y + ty) * width + tx] * (1 + tx);
  __syncthreads();
  for (int k = 1; k < blockDim.x; k <<= 1) {
    double v = tx + k < blockDim.x ? s[ty][tx] + s[ty][tx + k] : s[ty][tx];
    __syncthreads();
    s[ty][tx] = v;
    __syncthreads();
  }
  if (tx == 0) rows[blockIdx.x * blockDim.y + ty] = s[ty][0];
  if (ty == 0) {
    double sum = 0.0;
    for (int k = 0; k < blockDim.y; ++k) sum += s[k][tx] * s[(k + 1) % blockDim.y][tx];
    s[0][tx] = sum;
  }
  __syncthreads();
  if (tx == 0 && ty == 0) {
    double all = 0.0;
    for (int k = 0; k < blockDim.x; ++k) all += s[0][k];
    out[blockIdx.x] = all;
  }
}

// The largest number and where it is, by halves that constants give.
__global__ void which_largest(const double *x, double *out, int n) {
  __shared__ double most[64];
  __shared__ int place[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  most[t] = i < n ? x[i] : -100.0;
  place[t] = i;
  __syncthreads();
  for (int half = 32; half > 0; half >>= 1) {
    if (t < half && most[t + half] > most[t]) {
      most[t] = most[t + half];
      place[t] = place[t + half];
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = most[0] * place[0] + x[place[0]] * most[0];
}
