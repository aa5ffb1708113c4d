// Programs for the tests of the host executor; compiled once, called through ctypes.
#include <cassert>
#include <cuda_runtime.h>

using cladpy::host::launch;

__global__ void index_of(int *out) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int size = blockDim.x * blockDim.y * blockDim.z;
  out[block * size + thread] = 1 + block * size + thread;
}
extern "C" int run_index_of(int *out, const unsigned *g, const unsigned *b) {
  return launch(dim3(g[0], g[1], g[2]), dim3(b[0], b[1], b[2]), 0, nullptr, [&] { index_of(out); });
}

__global__ void sequence(int *out, int *next) { out[atomicAdd(next, 1)] = threadIdx.x + blockDim.x * blockIdx.x; }
extern "C" int run_sequence(int *out, int *next, int blocks, int threads) {
  return launch(blocks, threads, 0, nullptr, [&] { sequence(out, next); });
}

__global__ void interval_orders(int *out, int *next, int intervals) {
  for (int k = 0; k < intervals; ++k) {
    out[atomicAdd(next, 1)] = threadIdx.x;
    __syncthreads();
  }
}
extern "C" int run_interval_orders(int *out, int *next, int threads, int intervals) {
  return launch(1, threads, 0, nullptr, [&] { interval_orders(out, next, intervals); });
}

template <int N> __global__ void block_sum(const double *x, double *out) {
  __shared__ double tile[N];
  tile[threadIdx.x] = x[blockIdx.x * N + threadIdx.x];
  __syncthreads();
  for (int half = N / 2; half > 0; half >>= 1) {
    if (int(threadIdx.x) < half) tile[threadIdx.x] += tile[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}
extern "C" int run_block_sum(const double *x, double *out, int blocks) {
  return launch(blocks, 128, 0, nullptr, [&] { block_sum<128>(x, out); });
}

__global__ void missing_barrier(int *x) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 0;
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x + 1;
  x[threadIdx.x] = threadIdx.x > 0 ? tile[threadIdx.x - 1] : 0;
}
extern "C" int run_missing_barrier(int *x) {
  return launch(1, 64, 0, nullptr, [&] { missing_barrier(x); });
}

__global__ void reverse_dynamic(int *x) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}
extern "C" int run_reverse_dynamic(int *x, int n, int bytes) {
  return launch(1, n, bytes, nullptr, [&] { reverse_dynamic(x); });
}

__global__ void counts(int *out, int limit) {
  if (int(threadIdx.x) >= limit) return; // those that have ended are not waited for
  const int odd = threadIdx.x & 1;
  out[3 * threadIdx.x] = __syncthreads_count(odd);
  out[3 * threadIdx.x + 1] = __syncthreads_and(threadIdx.x < 1000);
  out[3 * threadIdx.x + 2] = __syncthreads_or(threadIdx.x == 5);
}
extern "C" int run_counts(int *out, int threads, int limit) {
  return launch(1, threads, 0, nullptr, [&] { counts(out, limit); });
}

__global__ void shuffles(double *out, double *v, int width) {
  const unsigned lanes = min(blockDim.x - threadIdx.x / 32 * 32, 32u);
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  double *row = out + 4 * threadIdx.x;
  row[0] = __shfl_sync(mask, v[threadIdx.x], 3, width);
  row[1] = __shfl_up_sync(mask, v[threadIdx.x], 2, width);
  row[2] = __shfl_down_sync(mask, v[threadIdx.x], 2, width);
  row[3] = __shfl_xor_sync(mask, v[threadIdx.x], 1, width);
}
extern "C" int run_shuffles(double *out, double *v, int threads, int width) {
  return launch(1, threads, 0, nullptr, [&] { shuffles(out, v, width); });
}

__global__ void votes(unsigned *out) {
  const unsigned lane = threadIdx.x % 32, mask = lane < 8 ? 0xffu : 0xffffff00u; // two groups that do not wait for each other
  unsigned *row = out + 8 * threadIdx.x;
  row[0] = __ballot_sync(mask, lane % 3 == 0);
  row[1] = __all_sync(mask, lane < 8);
  row[2] = __any_sync(mask, lane == 9);
  row[3] = __match_any_sync(mask, int(lane / 4));
  int all;
  row[4] = __match_all_sync(mask, 7.0, &all);
  row[5] = all;
  row[6] = __reduce_add_sync(mask, lane);
  row[7] = __reduce_max_sync(mask, -int(lane));
}
extern "C" int run_votes(unsigned *out, int threads) {
  return launch(1, threads, 0, nullptr, [&] { votes(out); });
}

__global__ void active(unsigned *out) {
  if (threadIdx.x % 2) {
    const unsigned mask = __activemask();
    out[threadIdx.x] = __shfl_sync(mask, mask, 31 - __clz(mask));
  } else {
    out[threadIdx.x] = __activemask();
  }
}
extern "C" int run_active(unsigned *out, int threads) {
  return launch(1, threads, 0, nullptr, [&] { active(out); });
}

__global__ void fail(int how) {
  if (how == 0 && threadIdx.x < 3) __syncthreads();
  if (how == 0 && threadIdx.x == 3) __shfl_sync(0xffffffffu, 1, 0);
  if (how == 0 && threadIdx.x > 3) __syncwarp();
  if (how == 1) __syncwarp(0xff);
  if (how == 2) threadIdx.x % 2 ? __syncthreads() : void(__syncthreads_count(1));
  if (how == 3) throw 1;
  if (how == 4) assert(threadIdx.x < 20);
  if (how == 5 && threadIdx.x == 2) __trap();
  if (how == 6) launch(1, 1, 0, nullptr, [] {});
  if (how == 7) threadIdx.x ? void(__ballot_sync(0xffffffffu, 1)) : void(__any_sync(0xffffffffu, 1));
}
extern "C" int run_fail(int how, int threads) {
  return launch(1, threads, 0, nullptr, [&] { fail(how); });
}
extern "C" int run_shape(const unsigned *g, const unsigned *b, unsigned long long shared) {
  return launch(dim3(g[0], g[1], g[2]), dim3(b[0], b[1], b[2]), shared, nullptr, [] {});
}

__global__ void many_barriers(long long *x, int n) {
  double local[1000];
  for (int k = 0; k < 1000; ++k) local[k] = k;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    x[threadIdx.x] += (long long)local[(k + threadIdx.x) % 1000];
  }
}
extern "C" int run_many_barriers(long long *x, int threads, int n) {
  return launch(1, threads, 0, nullptr, [&] { many_barriers(x, n); });
}

__global__ void cells(int how, double *x, const double *y) {
  using namespace cladpy::host;
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  __shared__ double tile[64];
  double local[1];
  if (how == 0) note_read(y + i / 2, 8), note_write(x + i, 8), x[i] = y[i / 2]; // right
  if (how == 1) note_write(x + i / 2, 8), x[i / 2] = 1;                        // two threads write a cell
  if (how == 2) note_write(x + threadIdx.x, 8), x[threadIdx.x] = 1;            // two blocks write a cell
  if (how == 3) atomicAdd(x, 1.0);                                             // right
  if (how == 4 && i == 1) note_read(x, 8), local[0] = x[0], x[1] = local[0];   // a plain read beside an atomic
  if (how == 4 && i != 1) atomicAdd(x, 1.0);
  if (how == 5) { // right: a barrier between
    note_write(tile + threadIdx.x, 8), tile[threadIdx.x] = 1;
    __syncthreads();
    note_read(tile + 63 - threadIdx.x, 8), local[0] = tile[63 - threadIdx.x];
    note_write(local, 8), x[i] = local[0];
  }
  if (how == 6) { // no barrier
    note_write(tile + threadIdx.x, 8), tile[threadIdx.x] = 1;
    note_read(tile + 63 - threadIdx.x, 8), x[i] = tile[63 - threadIdx.x];
  }
  if (how == 7) { // right within a warp
    note_write(tile + threadIdx.x, 8), tile[threadIdx.x] = 1;
    __syncwarp();
    note_read(tile + (threadIdx.x ^ 1), 8), x[i] = tile[threadIdx.x ^ 1];
  }
  if (how == 8) { // a barrier of the warp does not order warps
    note_write(tile + threadIdx.x, 8), tile[threadIdx.x] = 1;
    __syncwarp();
    note_read(tile + (threadIdx.x ^ 32), 8), x[i] = tile[threadIdx.x ^ 32];
  }
  if (how == 9 && i == 0) note_write(x, 8), x[0] = 1; // overlap of different sizes
  if (how == 9 && i == 1) note_write(reinterpret_cast<char *>(x) + 4, 4), reinterpret_cast<float *>(x)[1] = 1;
}
extern "C" int run_cells(int how, double *x, const double *y, int blocks) {
  return launch(blocks, 64, 0, nullptr, [&] { cells(how, x, y); });
}

__global__ void hand_over(int *flag, int *out, int from) {
  if (int(threadIdx.x) != from) {
    while (atomicAdd(flag, 0) == 0) {
    }
  } else {
    atomicExch(flag, 1);
  }
  out[threadIdx.x] = 1;
}
extern "C" int run_hand_over(int *flag, int *out, int from) {
  return launch(1, 8, 0, nullptr, [&] { hand_over(flag, out, from); });
}

// What a block finds in shared memory that it has not written to.
extern "C" int run_unwritten(double *y) {
  return cladpy::host::launch(dim3(2), dim3(4), 0, nullptr, [=] {
    __shared__ double s[4];
    y[blockIdx.x * 4 + threadIdx.x] = s[threadIdx.x];
    s[threadIdx.x] = 1.0;
  });
}
