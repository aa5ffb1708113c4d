#include <cooperative_groups.h>

// Rows that threads share, whose elements are known to be one thread's own by what it stores there later: beyond
// barriers, in another loop or branch of the same kind, on either side of a branch.

// What is left of a row behind whole strides is in a branch of its own, which asks the same each time.
__global__ void kept_in_registers(double *y, const double *x, const double *w, int columns) {
  auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  __shared__ double parts[32];
  const int row = blockIdx.x * columns, whole = columns / blockDim.x, last = whole * blockDim.x + threadIdx.x;
  double held[8], sum = 0.0;
  for (int i = 0; i < whole; i++) {
    held[i] = x[row + i * blockDim.x + threadIdx.x];
    sum += held[i] * held[i];
  }
  if (last < columns) {
    held[whole] = x[row + last];
    sum += held[whole] * held[whole];
  }
  for (int i = 1; i < 32; i *= 2) sum += warp.shfl_down(sum, i);
  if (warp.thread_rank() == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0.0;
  for (int i = 0; i < blockDim.x / 32; i++) sum += parts[i];
  for (int i = 0; i < whole; i++) {
    const int at = i * blockDim.x + threadIdx.x;
    y[row + at] = held[i] / sqrt(sum) * w[at];
  }
  if (last < columns) y[row + last] = held[whole] / sqrt(sum) * w[last];
}

// Each line of a block's threads has rows of its own, as far apart as `apart` says.
__global__ void either_way(double *y, const double *x, int rows, int columns, int apart, bool logs) {
  extern __shared__ double parts[];
  double *own = parts + blockDim.x * threadIdx.y;
  const int first = blockIdx.x * blockDim.y + threadIdx.y;
  for (int row = first; row < rows; row += blockDim.y * gridDim.x) {
    own[threadIdx.x] = 0.0;
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += blockDim.x) own[threadIdx.x] += exp(x[row * apart + c]);
    __syncthreads();
    double sum = 0.0;
    for (int k = 0; k < blockDim.x; k++) sum += own[k];
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
      if (logs)
        y[row * apart + c] = x[row * apart + c] - log(sum);
      else
        y[row * apart + c] = exp(x[row * apart + c]) / sum;
    }
    __syncthreads();
  }
}

// The same elements are read by other threads as well, in another interval between barriers: these meet.
__global__ void read_by_others(double *y, const double *x, int apart) {
  const int row = blockIdx.x * apart;
  __shared__ double first;
  double next = x[row + threadIdx.x];
  if (threadIdx.x == 0) first = x[row + blockDim.x - 1] * next;
  __syncthreads();
  for (int turn = 0; turn < 2; turn++) {
    next += x[row + threadIdx.x] * x[row + threadIdx.x] * first;
    __syncthreads();
    y[row + threadIdx.x] = next;
    __syncthreads();
  }
}

// A loop with barriers has as many iterations as one without: what these keep apart there meets here.
__global__ void apart_by_barriers(double *y, const double *x, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += x[threadIdx.x + k] * x[threadIdx.x + k];
  for (int k = 0; k < n; k++) {
    y[threadIdx.x + k] = sum * k;
    __syncthreads();
  }
}
