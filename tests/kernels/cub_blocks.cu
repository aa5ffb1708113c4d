// Reductions and scans of CUB in a block and in a warp.
#include <cub/cub.cuh>
#include <cub/util_type.cuh>

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

struct scaled_sum { // x -> a x + b, one after the other
  __device__ double2 operator()(double2 first, double2 second) const {
    return {first.x * second.x, second.x * first.y + second.y};
  }
};

// A recurrence of a block's threads, and what comes before each in the warp.
__global__ void recurrence(const double *a, const double *b, double *out, double *totals) {
  using Scan = cub::BlockScan<double2, 48>;
  __shared__ typename Scan::TempStorage storage;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double2 upto, before, all;
  Scan(storage).InclusiveScan(make_double2(a[i], b[i]), upto, scaled_sum());
  __syncthreads();
  Scan(storage).ExclusiveScan(make_double2(b[i], a[i]), before, make_double2(1.0, 0.5), scaled_sum(), all);
  out[i] = upto.y * before.y;
  if (threadIdx.x == 0) totals[blockIdx.x] = all.x * all.y;
}

// Several numbers of each thread.
__global__ void scanned_by_threes(const double *x, double *out, double *totals) {
  using Scan = cub::BlockScan<double, 16>;
  __shared__ typename Scan::TempStorage storage;
  const int first = 3 * (blockIdx.x * blockDim.x + threadIdx.x);
  double own[3], upto[3], all, product;
  for (int k = 0; k < 3; ++k) own[k] = x[first + k];
  Scan(storage).InclusiveSum(own, upto, all);
  __syncthreads();
  for (int k = 0; k < 3; ++k) own[k] = 1 + 0.1 * upto[k];
  Scan(storage).ExclusiveScan(own, own, 2.0, [](double a, double b) { return a * b; }, product);
  for (int k = 0; k < 3; ++k) out[first + k] = own[k] * upto[k];
  if (threadIdx.x == 0) totals[blockIdx.x] = all * product;
}

template <int Lanes> __global__ void scanned_by_warps(const double *x, double *out) {
  using Scan = cub::WarpScan<double, Lanes>;
  __shared__ typename Scan::TempStorage storage[64 / Lanes];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, part = threadIdx.x / Lanes;
  double upto, before, product, all;
  Scan(storage[part]).InclusiveSum(x[i] * x[i], upto);
  __syncwarp();
  Scan(storage[part]).ExclusiveSum(x[i], before);
  __syncwarp();
  Scan(storage[part]).ExclusiveScan(1 + 0.1 * x[i], product, 3.0, [](double a, double b) { return a * b; }, all);
  out[i] = upto * before + product * all;
}

template <cub::BlockLoadAlgorithm In, cub::BlockStoreAlgorithm Out, int Threads>
__global__ void loaded(const double *x, double *y, int n) {
  using Load = cub::BlockLoad<double, Threads, 3, In>;
  using Store = cub::BlockStore<double, Threads, 3, Out>;
  using Scan = cub::BlockScan<double, Threads>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } storage;
  const int first = blockIdx.x * 3 * Threads, valid = n - first < 3 * Threads ? n - first : 3 * Threads;
  double own[3];
  Load(storage.load).Load(x + first, own, valid, 1.0);
  __syncthreads();
  for (int k = 0; k < 3; ++k) own[k] = own[k] * own[k];
  Scan(storage.scan).InclusiveSum(own, own);
  __syncthreads();
  Store(storage.store).Store(y + first, own, valid);
}

// The farthest of a block's numbers on either side, and where they are.
__global__ void extremes(const float *x, float *out, int *where, int n) {
  using Pair = cub::KeyValuePair<int, float>;
  using Reduce = cub::BlockReduce<Pair, 64>;
  __shared__ typename Reduce::TempStorage storage;
  Pair most(0, -1.0f), least(0, 9.0f);
  cub::ArgMax larger;
  for (int i = threadIdx.x; i < n; i += 64) {
    most = larger(most, Pair(i, x[i] * x[i]));
    least = cub::ArgMin()(least, Pair(i, x[i] * x[i]));
  }
  const Pair above = Reduce(storage).Reduce(most, larger);
  __syncthreads();
  const Pair below = Reduce(storage).Reduce(least, cub::ArgMin());
  if (threadIdx.x != 0) return;
  out[0] = above.value * below.value;
  where[0] = above.key;
  where[1] = below.key;
}

struct steeper { // which may change what it is given
  __device__ double operator()(double &own, double &other) const { return own * own - other * own; }
};

__global__ void differences(const double *x, double *out, int n, double edge) {
  using Difference = cub::BlockAdjacentDifference<double, 16>;
  __shared__ Difference::TempStorage storage;
  double own[3], found[3];
  const int first = 3 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = 0; i < 3; ++i) own[i] = x[first + i];
  Difference(storage).SubtractLeft(own, found, steeper());
  for (int i = 0; i < 3; ++i) out[first + i] = found[i];
  __syncthreads();
  Difference(storage).SubtractRight(found, found, steeper());
  for (int i = 0; i < 3; ++i) out[first + i] += 2 * found[i];
  Difference(storage).SubtractLeft(own, found, steeper(), edge);
  Difference(storage).SubtractRight(found, own, steeper(), edge);
  for (int i = 0; i < 3; ++i) out[first + i] += 3 * own[i];
  Difference(storage).SubtractLeftPartialTile(own, own, steeper(), n);
  Difference(storage).SubtractRightPartialTile(own, found, steeper(), n);
  for (int i = 0; i < 3; ++i) out[first + i] += 4 * found[i];
  Difference(storage).SubtractLeftPartialTile(found, own, steeper(), n, edge);
  for (int i = 0; i < 3; ++i) out[first + i] += 5 * own[i];
}

__global__ void exchanged(const double *x, double *out) {
  using Exchange = cub::BlockExchange<double, 16, 3>;
  __shared__ Exchange::TempStorage storage;
  double own[3], other[3];
  for (int i = 0; i < 3; ++i) own[i] = x[48 * blockIdx.x + 16 * i + threadIdx.x];
  Exchange(storage).StripedToBlocked(own, own);
  for (int i = 0; i < 3; ++i) own[i] *= i * own[i];
  __syncthreads();
  Exchange(storage).BlockedToStriped(own, other);
  for (int i = 0; i < 3; ++i) out[48 * blockIdx.x + 16 * i + threadIdx.x] = other[i] * (threadIdx.x + 1);
}
