// Cooperative groups: blocks, tiles, and the lanes that happen to be together.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void tile_sum(const double *x, double *y, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] * x[i] : 0.0;
  for (int d = warp.size() / 2; d > 0; d /= 2) v += warp.shfl_down(v, d);
  if (warp.thread_rank() == 0) y[i / 32] = v * v;
}

__global__ void softmax_of_tile(const float *x, float *y) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = cg::reduce(tile, x[i], cg::greater<float>());
  float e = expf(x[i] - most);
  float sum = cg::reduce(tile, e, cg::plus<float>());
  y[i] = e / sum;
}

__global__ void block_sum(const double *x, double *total, int n) {
  __shared__ double partial[32];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  double v = 0;
  for (int i = blockIdx.x * blockDim.x + block.thread_rank(); i < n; i += gridDim.x * blockDim.x) v += x[i] * x[i];
  v = cg::reduce(warp, v, cg::plus<double>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = v;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    v = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0.0;
    v = cg::reduce(warp, v, cg::plus<double>());
    if (block.thread_rank() == 0) atomicAdd(total, v);
  }
}

__global__ void scans(const double *x, double *y) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double upto = cg::inclusive_scan(tile, x[i] * x[i]);
  double before = cg::exclusive_scan(tile, x[i], cg::plus<double>());
  y[i] = upto * before + tile.shfl(upto, 7) + tile.shfl_xor(before, 2) * tile.shfl_up(x[i], 1);
}

__global__ void those_above(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  if (v > 0.6) {
    auto active = cg::coalesced_threads();
    double first = active.shfl(v, 0), next = active.shfl_down(v * v, 1);
    v = v * first + next * active.size();
  }
  y[i] = v;
}

__global__ void by_label(const double *x, const int *label, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto same = cg::labeled_partition(warp, label[i]);
  y[i] = x[i] * cg::reduce(same, x[i] * x[i], cg::plus<double>()) * (warp.any(label[i] == 3) ? 2.0 : 1.0);
}

// A vector moves as a whole.
__global__ void vectors(const float4 *x, float4 *y) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = x[i], u = warp.shfl_xor(v, 5);
  y[i] = make_float4(v.x * u.y, v.y * u.z, v.z + u.w, v.w * u.x);
}

// Tiles wait for their own lanes.
__global__ void tile_in_shared_memory(const double *x, double *y) {
  __shared__ double s[64];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i] * x[i];
  tile.sync();
  double v = s[threadIdx.x ^ 9];
  cg::sync(tile);
  s[threadIdx.x] = v * x[i];
  tile.sync();
  y[i] = s[threadIdx.x ^ 3] * v;
}
