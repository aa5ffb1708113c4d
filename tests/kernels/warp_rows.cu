// A warp for each row, by what programs say of it: the elements that lanes read are theirs where blocks are whole warps,
// or one warp wide. Nothing is stored at the indices of the rows, so that no store is a proof.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ float over_warp(float v) {
  for (int bits = 16; bits > 0; bits /= 2) v += __shfl_xor_sync(0xffffffffu, v, bits);
  return v;
}

__global__ void of_block(float *out, const float *x, int rows, int cols) {
  int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = blockIdx.x * warps + warp;
  if (row >= rows) return;
  const float *own = x + row * cols;
  float s = 0.0f;
  for (int i = lane; i < cols; i += 32) s += own[i] * own[i];
  s = over_warp(s);
  if (lane == 0) out[row] = s / cols;
}

// All lanes of a last warp that is none add to the rows of the next block here: no whole warps, no rows of their own.
__global__ void numbered(double *out, const double *x, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  double s = 0;
  for (int i = lane; i < cols; i += 32) s += sin(x[row * cols + i]);
  atomicAdd(&out[row], s);
}

// The number of a warp among those of a block of any shape needs no condition.
__global__ void grouped(float *out, const float *x, int rows, int cols) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  const float *own = x + row * cols;
  float s = 0.0f;
  for (int i = warp.thread_rank(); i < cols; i += warp.size()) s += own[i] * own[i];
  for (int bits = 16; bits > 0; bits /= 2) s += warp.shfl_xor(s, bits);
  if (warp.thread_rank() == 0) out[row] = s / cols;
}

// Vectors: what a row has beyond those nobody reads.
__global__ void by_fours(float *out, const float *x, int rows, int cols) {
  int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = blockIdx.x * warps + warp;
  if (row >= rows) return;
  const float4 *own = reinterpret_cast<const float4 *>(x + row * cols);
  float s = 0.0f;
  for (int i = lane; i < cols / 4; i += 32) {
    float4 v = own[i];
    s += v.x * v.y + v.z * v.w;
  }
  s = over_warp(s);
  if (lane == 0) out[row] = s;
}

// Rows along y: a thread has elements of its own where blocks are no wider than a step.
__global__ void along_y(double *out, const double *x, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  double s = 0;
  for (int i = threadIdx.x; i < cols; i += 8) s += x[row * cols + i] * x[row * cols + i];
  atomicAdd(&out[row], s);
}

// Two sizes that do not go together: parts of 8 lanes of a block, rows of which each has 12 elements.
__global__ void by_parts(double *out, const double *x, int rows) {
  int part = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  if (part < rows && lane < 6) atomicAdd(&out[part], x[part * 12 + lane * 2] * x[part * 12 + lane * 2 + 1]);
}

// More lanes than the row's step has: lanes meet, whatever the block is.
__global__ void overlapping(double *out, const double *x, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  double s = 0;
  for (int i = lane; i < cols; i += 16) s += x[row * cols + i] * x[row * cols + i];
  atomicAdd(&out[row], s);
}

// A quotient of what is negative is nearer to zero: C++ gives -7 / 4 as -1.
__global__ void below_zero(double *out, const double *x, int rows, int cols) {
  int row = blockIdx.x, lane = threadIdx.x;
  if (row < rows && lane - 2 < cols / 4) atomicAdd(&out[row], x[row * 4 + lane] * x[row * 4 + lane]);
}

// What is kept of a loop lies where it lies whatever the launch.
__global__ void online(double *out, const double *x, int rows, int cols) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  double most = -1e30, sum = 0;
  for (int i = lane; i < cols; i += 32) {
    double before = most, v = x[row * cols + i];
    most = fmax(most, v);
    sum = sum * exp(before - most) + exp(v - most);
  }
  atomicAdd(&out[row], sum * exp(most));
}

__global__ void wandering(double *out, const double *x, int rows, int cols) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  double a = 0.1, b = 0.2, c = 0.3;
  for (int i = lane; i < cols; i += 32) {
    double v = x[row * cols + i], before = a;
    a = sin(b * v);
    if (a > 0) b = b + c * before;
    for (int k = 0; k < i % 3; ++k) c = cos(c * a + v);
  }
  atomicAdd(&out[row], a * b * c);
}

// All lanes store what they have summed: one of them takes its adjoint, whatever says which row a warp has.
__global__ void stored_by_all(double *out, const double *x, int rows, int cols) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  double s = 0;
  for (int i = warp.thread_rank(); i < cols; i += warp.size()) s += x[row * cols + i] * x[row * cols + i];
  for (int bits = 16; bits > 0; bits /= 2) s += warp.shfl_xor(s, bits);
  out[row] = s;
}

__global__ void stored_by_parts(double *out, const double *x, int rows) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, part = thread / 8, lane = threadIdx.x % 8;
  if (thread >= rows * 8) return;
  double s = x[part * 8 + lane] * x[part * 8 + lane];
  for (int bits = 4; bits > 0; bits /= 2) s += __shfl_xor_sync(0xffffffffu, s, bits, 8);
  out[part] = s;
}
