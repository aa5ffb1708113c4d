// A log-sum-exp by each way that there is to find a maximum in a warp or a block: it is smooth where the largest numbers
// are equal, though the maximum is not.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

struct Larger {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <int Form, typename T> __device__ T over_warp(T v) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if constexpr (Form == 0) {
    for (int o = 16; o > 0; o >>= 1) v = Larger()(v, __shfl_xor_sync(0xffffffffu, v, o));
    return v;
  } else if constexpr (Form == 1) {
    for (int o = 16; o > 0; o >>= 1) v = Larger()(v, __shfl_down_sync(0xffffffffu, v, o));
    return __shfl_sync(0xffffffffu, v, 0);
  } else if constexpr (Form == 2) {
    return cg::reduce(tile, v, cg::greater<T>());
  } else if constexpr (Form == 3) {
    return tile.shfl(cg::inclusive_scan(tile, v, cg::greater<T>()), 31);
  } else if constexpr (Form == 4) {
    using Reduce = cub::WarpReduce<T>;
    __shared__ typename Reduce::TempStorage storage;
    return __shfl_sync(0xffffffffu, Reduce(storage).Reduce(v, Larger()), 0);
  } else if constexpr (Form == 5) {
    using Reduce = cub::WarpReduce<T>;
    __shared__ typename Reduce::TempStorage storage;
    const T first = __shfl_sync(0xffffffffu, Reduce(storage).Reduce(v, Larger(), 19), 0);
    __syncwarp();
    const T second = __shfl_sync(0xffffffffu, Reduce(storage).Reduce(__shfl_xor_sync(0xffffffffu, v, 31), Larger(), 13), 0);
    return Larger()(first, second);
  } else {
    using Scan = cub::WarpScan<T>;
    __shared__ typename Scan::TempStorage storage;
    T upto, all;
    Scan(storage).InclusiveScan(v, upto, Larger(), all);
    return all;
  }
}

template <int Form, typename T> __device__ T over_block(T v) {
  if constexpr (Form == 0) {
    __shared__ T kept[64];
    kept[threadIdx.x] = v;
    __syncthreads();
    for (int s = 32; s > 0; s >>= 1) {
      if (threadIdx.x < s) kept[threadIdx.x] = Larger()(kept[threadIdx.x], kept[threadIdx.x + s]);
      __syncthreads();
    }
    return kept[0];
  } else if constexpr (Form < 4) {
    constexpr auto algorithm = Form == 1   ? cub::BLOCK_REDUCE_RAKING
                               : Form == 2 ? cub::BLOCK_REDUCE_WARP_REDUCTIONS
                                           : cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY;
    using Reduce = cub::BlockReduce<T, 64, algorithm>;
    __shared__ typename Reduce::TempStorage storage;
    __shared__ T all;
    const T found = Reduce(storage).Reduce(v, Larger());
    if (threadIdx.x == 0) all = found;
    __syncthreads();
    return all;
  } else if constexpr (Form == 4) {
    using Scan = cub::BlockScan<T, 64>;
    __shared__ typename Scan::TempStorage storage;
    T upto, all;
    Scan(storage).InclusiveScan(v, upto, Larger(), all);
    return all;
  } else if constexpr (Form == 5) {
    __shared__ T kept[2];
    v = over_warp<0>(v);
    if (threadIdx.x % 32 == 0) kept[threadIdx.x / 32] = v;
    __syncthreads();
    return Larger()(kept[0], kept[1]);
  } else {
    __shared__ T kept[64];
    kept[threadIdx.x] = v;
    __syncthreads();
    T all = kept[0];
    for (int k = 1; k < 64; ++k) all = Larger()(all, kept[k]);
    return all;
  }
}

template <int Form, typename T> __global__ void of_warps(const T *x, float *y) {
  const float v = static_cast<float>(x[blockIdx.x * 32 + threadIdx.x]);
  const float m = static_cast<float>(over_warp<Form>(x[blockIdx.x * 32 + threadIdx.x]));
  float sum = expf(v - m);
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = m + logf(sum);
}

template <int Form, typename T> __global__ void of_blocks(const T *x, float *y) {
  __shared__ float total;
  const float v = static_cast<float>(x[blockIdx.x * 64 + threadIdx.x]);
  const float m = static_cast<float>(over_block<Form>(x[blockIdx.x * 64 + threadIdx.x]));
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, expf(v - m));
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = m + logf(total);
}
