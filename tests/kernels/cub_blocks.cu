// Reductions and scans of CUB in a block and in a warp.
#include <cub/cub.cuh>

__global__ void norms(const double *x, double *out, int n) {
  typedef cub::BlockReduce<double, 64> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  const int row = blockIdx.x;
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[row * n + i] * x[row * n + i];
  const double total = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) out[row] = sqrt(total);
}

struct longer {
  __device__ double operator()(double a, double b) const { return sqrt(a * a + b * b); }
};
struct larger {
  __device__ double operator()(double a, double b) const { return a < b ? b : a; }
};

// Two reductions by one storage; some of the threads have nothing.
__global__ void lengths(const double *x, double *out, int n) {
  using Reduce = cub::BlockReduce<double, 48>;
  __shared__ Reduce::TempStorage storage;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double own = i < n ? x[i] : 0.0;
  const int valid = n - blockIdx.x * blockDim.x < blockDim.x ? n - blockIdx.x * blockDim.x : blockDim.x;
  const double most = Reduce(storage).Reduce(own, larger());
  __syncthreads();
  const double length = Reduce(storage).Reduce(own * own, longer(), valid);
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = most * length;
    out[2 * blockIdx.x + 1] = length;
  }
}

__global__ void scanned(const double *x, double *out, double *totals) {
  using Scan = cub::BlockScan<double, 48>;
  __shared__ typename Scan::TempStorage storage;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double before, upto, all;
  Scan(storage).ExclusiveSum(x[i], before);
  __syncthreads();
  Scan(storage).InclusiveSum(before * x[i], upto, all);
  out[i] = upto * x[i];
  if (threadIdx.x == 0) totals[blockIdx.x] = all;
}

__global__ void in_warps(const double *x, double *out) {
  using Reduce = cub::WarpReduce<double>;
  __shared__ typename Reduce::TempStorage storage[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double sum = Reduce(storage[threadIdx.x / 32]).Sum(x[i] * x[i]);
  if (threadIdx.x % 32 == 0) out[i / 32] = sum * sum;
}
