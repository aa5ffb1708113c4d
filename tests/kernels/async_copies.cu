// Copies to shared memory that a thread, a group or a block waits for, and barriers that threads arrive at first.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include <utility>

namespace cg = cooperative_groups;

__global__ void by_group(const float *x, float *y, int n) {
  __shared__ float tile[32];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int first = 0; first < n; first += 32) {
    cg::memcpy_async(block, tile, x + first, sizeof(float) * 32);
    cg::wait(block);
    for (int k = 0; k < 32; ++k) sum += tile[k] * tile[(k + threadIdx.x) % 32];
    block.sync();
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Arrives, does something of its own, and waits.
__global__ void arrived(const float *x, float *y) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ float tile[32];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i] * x[i];
  auto token = barrier.arrive();
  const float mine = sinf(x[i]);
  barrier.wait(std::move(token));
  const float other = tile[31 - threadIdx.x];
  barrier.arrive_and_wait();
  tile[threadIdx.x] = other * mine;
  barrier.arrive_and_wait();
  y[i] = tile[(threadIdx.x + 5) % 32] * other;
}

__global__ void copied_at_a_barrier(const float4 *x, float4 *y) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ float4 tile[32];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, x + blockIdx.x * 32, cuda::aligned_size_t<16>(sizeof(float4) * 32), barrier);
  barrier.arrive_and_wait();
  const float4 a = tile[threadIdx.x], b = tile[31 - threadIdx.x];
  y[blockIdx.x * blockDim.x + threadIdx.x] = make_float4(a.x * b.y, a.y * b.z, a.z * b.w, a.w * b.x);
}

// Two stages: the next is fetched while one is read.
template <int Stages>
__global__ void in_stages(const float *x, float *y, int n) {
  __shared__ float tile[Stages][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int rounds = n / 32;
  float sum = 1;
  for (int round = 0, fetched = 0; round < rounds; ++round) {
    for (; fetched < rounds && fetched < round + Stages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % Stages], x + fetched * 32, sizeof(float) * 32, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = 0.5f * sum + tile[round % Stages][threadIdx.x] * tile[round % Stages][31 - threadIdx.x];
    pipe.consumer_release();
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void by_thread(const float *x, float *y) {
  __shared__ float tile[32];
  auto pipe = cuda::make_pipeline();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &x[i], sizeof(float), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __syncthreads();
  y[i] = tile[threadIdx.x] * tile[31 - threadIdx.x];
}

__global__ void by_primitives(const float4 *x, float4 *y, int n) {
  __shared__ float4 tile[2][32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][t], &x[t], sizeof(float4));
  __pipeline_commit();
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < n; ++k) {
    if (k + 1 < n) __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &x[(k + 1) * 32 + t], sizeof(float4), t < 30 ? 0 : 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 a = tile[k % 2][t], b = tile[k % 2][31 - t];
    sum.x += a.x * b.x;
    sum.y += a.y * b.z;
    sum.z += a.z;
    sum.w += a.w * a.w;
    __syncthreads();
  }
  y[blockIdx.x * blockDim.x + t] = sum;
}
