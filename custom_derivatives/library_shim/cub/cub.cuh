// CUB in terms of shared memory, barriers, shuffles and the kernels of <cladpy/algorithms.h>: what cladpy reads where a
// program includes CUB, and what the host backend runs. nvcc compiles CUDA's own.
#ifndef CLADPY_CUB_CUB_CUH
#define CLADPY_CUB_CUB_CUH

#include <cuda_runtime.h>

#ifndef CLADPY_HOST_H
#define CLADPY_SORTING_IS_READ
#endif
#include <cladpy/algorithms.h>
#include <cladpy/sorting.h>
#include <cuda/functional>
#include <cuda/std/functional>

// What CUDA's own brings with it, and programs rely on.
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#define CubDebug(error) (error)
#define CubDebugExit(error) (void)(error)

namespace cub {

// As CUB had them before CUDA 13.
struct Sum {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

// Of equal values the first key's.
template <class Key, class Value> struct KeyValuePair {
  using Key_t = Key;
  using Value_t = Value;
  Key key;
  Value value;
  __host__ __device__ KeyValuePair() {}
  __host__ __device__ KeyValuePair(const Key &k, const Value &v) : key(k), value(v) {}
};
struct ArgMax {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

// ---- in a block ----

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// The parts of objects are variables of the functions: what callers declare for them stays empty.
template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1> class BlockReduce {
public:
  struct TempStorage {};

  __device__ BlockReduce() {}
  __device__ BlockReduce(TempStorage &) {}

  // What they give is for the first thread only.
  __device__ T Sum(T value) { return tree(value, X * Y * Z, cladpy::algorithms::plus<T>()); }
  __device__ T Sum(T value, int valid) { return tree(value, valid, cladpy::algorithms::plus<T>()); }
  template <int N> __device__ T Sum(T (&values)[N]) {
    T own = values[0];
    for (int i = 1; i < N; ++i) own += values[i];
    return Sum(own);
  }
  template <class Op> __device__ T Reduce(T value, Op op) { return tree(value, X * Y * Z, op); }
  template <class Op> __device__ T Reduce(T value, Op op, int valid) { return tree(value, valid, op); }
  template <int N, class Op> __device__ T Reduce(T (&values)[N], Op op) {
    T own = values[0];
    for (int i = 1; i < N; ++i) own = op(own, values[i]);
    return Reduce(own, op);
  }

private:
  // In the order of the threads.
  template <class Op> __device__ static T tree(T value, int valid, Op op) {
    __shared__ T parts[X * Y * Z];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    parts[thread] = value;
    __syncthreads();
    for (int step = 1; step < X * Y * Z; step *= 2) {
      if (thread % (2 * step) == 0 && thread + step < valid) parts[thread] = op(parts[thread], parts[thread + step]);
      __syncthreads();
    }
    const T result = parts[0];
    __syncthreads();
    return result;
  }
};

template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> class BlockScan {
public:
  struct TempStorage {};

  __device__ BlockScan() {}
  __device__ BlockScan(TempStorage &) {}

  __device__ void InclusiveSum(T value, T &result) { result = scanned(value, plus()); }
  __device__ void InclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, plus(), all); }
  __device__ void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), plus()); }
  __device__ void ExclusiveSum(T value, T &result, T &all) { ExclusiveScan(value, result, T(), plus(), all); }
  template <class Op> __device__ void InclusiveScan(T value, T &result, Op op) { result = scanned(value, op); }
  template <class Op> __device__ void InclusiveScan(T value, T &result, Op op, T &all) {
    result = scanned(value, op);
    all = last(result);
  }
  // The first thread's result is what it begins with. Without that it is nothing that may be used.
  template <class Op> __device__ void ExclusiveScan(T value, T &result, T first, Op op) {
    const T previous = before(scanned(value, op));
    result = thread() == 0 ? first : op(first, previous);
  }
  template <class Op> __device__ void ExclusiveScan(T value, T &result, T first, Op op, T &all) {
    const T own = scanned(value, op), previous = before(own);
    all = last(own);
    result = thread() == 0 ? first : op(first, previous);
  }
  template <class Op> __device__ void ExclusiveScan(T value, T &result, Op op) { result = before(scanned(value, op)); }
  template <class Op> __device__ void ExclusiveScan(T value, T &result, Op op, T &all) {
    const T own = scanned(value, op);
    all = last(own);
    result = before(own);
  }

  // Several numbers of each thread, which stand beside each other.
  template <int N> __device__ void InclusiveSum(T (&values)[N], T (&results)[N]) { InclusiveScan(values, results, plus()); }
  template <int N> __device__ void InclusiveSum(T (&values)[N], T (&results)[N], T &all) { InclusiveScan(values, results, plus(), all); }
  template <int N> __device__ void ExclusiveSum(T (&values)[N], T (&results)[N]) { ExclusiveScan(values, results, T(), plus()); }
  template <int N> __device__ void ExclusiveSum(T (&values)[N], T (&results)[N], T &all) { ExclusiveScan(values, results, T(), plus(), all); }
  template <int N, class Op> __device__ void InclusiveScan(T (&values)[N], T (&results)[N], Op op) {
    T all;
    InclusiveScan(values, results, op, all);
  }
  template <int N, class Op> __device__ void InclusiveScan(T (&values)[N], T (&results)[N], Op op, T &all) {
    const T own = scanned(reduced(values, op), op), previous = before(own);
    all = last(own);
    T sum = thread() == 0 ? values[0] : op(previous, values[0]);
    results[0] = sum;
    for (int i = 1; i < N; ++i) {
      sum = op(sum, values[i]);
      results[i] = sum;
    }
  }
  template <int N, class Op> __device__ void ExclusiveScan(T (&values)[N], T (&results)[N], T first, Op op) {
    T all;
    ExclusiveScan(values, results, first, op, all);
  }
  template <int N, class Op> __device__ void ExclusiveScan(T (&values)[N], T (&results)[N], T first, Op op, T &all) {
    const T own = scanned(reduced(values, op), op), previous = before(own);
    all = last(own);
    T sum = thread() == 0 ? first : op(first, previous);
    for (int i = 0; i < N; ++i) {
      const T value = values[i]; // the results may be where the values are
      results[i] = sum;
      sum = op(sum, value);
    }
  }

private:
  using plus = cladpy::algorithms::plus<T>;

  __device__ static int thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  template <int N, class Op> __device__ static T reduced(T (&values)[N], Op op) {
    T own = values[0];
    for (int i = 1; i < N; ++i) own = op(own, values[i]);
    return own;
  }
  template <class Op> __device__ static T scanned(T value, Op op) {
    __shared__ T parts[X * Y * Z];
    const int here = thread();
    T own = value;
    for (int step = 1; step < X * Y * Z; step *= 2) {
      parts[here] = own;
      __syncthreads();
      if (here >= step) own = op(parts[here - step], own);
      __syncthreads();
    }
    return own;
  }
  __device__ static T before(T own) {
    __shared__ T parts[X * Y * Z];
    const int here = thread();
    parts[here] = own;
    __syncthreads();
    T result = own;
    if (here > 0) result = parts[here - 1];
    __syncthreads();
    return result;
  }
  __device__ static T last(T own) {
    __shared__ T all;
    if (thread() == X * Y * Z - 1) all = own;
    __syncthreads();
    const T result = all;
    __syncthreads();
    return result;
  }
};

// What stands at the ends of a tile, with nothing beside it there, stays as it is; so does what is behind the valid ones.
template <class T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference {
public:
  struct TempStorage {};

  __device__ BlockAdjacentDifference() {}
  __device__ BlockAdjacentDifference(TempStorage &) {}

  template <int N, class To, class Op> __device__ void SubtractLeft(T (&values)[N], To (&results)[N], Op op) {
    SubtractLeftPartialTile(values, results, op, X * Y * Z * N);
  }
  template <int N, class To, class Op> __device__ void SubtractLeft(T (&values)[N], To (&results)[N], Op op, T before) {
    left(values, results, op, X * Y * Z * N, before, 0);
  }
  template <int N, class To, class Op>
  __device__ void SubtractLeftPartialTile(T (&values)[N], To (&results)[N], Op op, int valid) {
    left(values, results, op, valid, values[0], 1);
  }
  template <int N, class To, class Op>
  __device__ void SubtractLeftPartialTile(T (&values)[N], To (&results)[N], Op op, int valid, T before) {
    left(values, results, op, valid, before, 0);
  }
  template <int N, class To, class Op> __device__ void SubtractRight(T (&values)[N], To (&results)[N], Op op) {
    SubtractRightPartialTile(values, results, op, X * Y * Z * N);
  }
  template <int N, class To, class Op> __device__ void SubtractRight(T (&values)[N], To (&results)[N], Op op, T behind) {
    right(values, results, op, X * Y * Z * N, behind);
  }
  template <int N, class To, class Op>
  __device__ void SubtractRightPartialTile(T (&values)[N], To (&results)[N], Op op, int valid) {
    right(values, results, op, valid - 1, values[0]);
  }

private:
  __device__ static int thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  // The results may be where the values are.
  template <int N, class To, class Op>
  __device__ static void left(T (&values)[N], To (&results)[N], Op op, int valid, T before, int first) {
    T last = beside(values[N - 1], -1, before);
    for (int i = N - 1; i > 0; --i) {
      if (thread() * N + i < valid) results[i] = op(values[i], values[i - 1]);
      else results[i] = values[i];
    }
    if (thread() >= first && thread() * N < valid) results[0] = op(values[0], last);
    else results[0] = values[0];
  }
  template <int N, class To, class Op>
  __device__ static void right(T (&values)[N], To (&results)[N], Op op, int end, T behind) {
    T next = beside(values[0], 1, behind);
    for (int i = 0; i < N - 1; ++i) {
      if (thread() * N + i < end) results[i] = op(values[i], values[i + 1]);
      else results[i] = values[i];
    }
    if (thread() * N + N - 1 < end) results[N - 1] = op(values[N - 1], next);
    else results[N - 1] = values[N - 1];
  }
  __device__ static T beside(T own, int step, T otherwise) {
    __shared__ T parts[X * Y * Z];
    const int there = thread() + step;
    parts[thread()] = own;
    __syncthreads();
    T result = otherwise;
    if (there >= 0 && there < X * Y * Z) result = parts[there];
    __syncthreads();
    return result;
  }
};

// Between two orders: those of a thread stand beside each other, or its threads' in turn.
template <class T, int X, int N, bool Timesliced = false, int Y = 1, int Z = 1> class BlockExchange {
public:
  struct TempStorage {};

  __device__ BlockExchange() {}
  __device__ BlockExchange(TempStorage &) {}

  template <class To> __device__ void StripedToBlocked(const T (&values)[N], To (&results)[N]) {
    exchange(values, results, X * Y * Z, 1, 1, N);
  }
  template <class To> __device__ void BlockedToStriped(const T (&values)[N], To (&results)[N]) {
    exchange(values, results, 1, N, X * Y * Z, 1);
  }

private:
  template <class To>
  __device__ static void exchange(const T (&values)[N], To (&results)[N], int step, int stride, int to_step, int to_stride) {
    __shared__ T parts[X * Y * Z * N];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    for (int i = 0; i < N; ++i) parts[thread * stride + i * step] = values[i];
    __syncthreads();
    for (int i = 0; i < N; ++i) results[i] = parts[thread * to_stride + i * to_step];
    __syncthreads();
  }
};

// Numbers from memory to threads and back: those of a thread stand beside each other, but where they are striped. How they
// are exchanged on the way makes no difference to what a thread gets.
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1> class BlockLoad {
  static_assert((A != BLOCK_LOAD_WARP_TRANSPOSE && A != BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED) || X * Y * Z % 32 == 0,
                "BLOCK_THREADS must be a multiple of WARP_THREADS");

public:
  struct TempStorage {};

  __device__ BlockLoad() {}
  __device__ BlockLoad(TempStorage &) {}

  template <class From> __device__ void Load(From from, T (&values)[N]) {
    for (int i = 0; i < N; ++i) values[i] = from[place(i)];
  }
  template <class From> __device__ void Load(From from, T (&values)[N], int valid) {
    for (int i = 0; i < N; ++i) {
      if (place(i) < valid) values[i] = from[place(i)];
    }
  }
  template <class From, class Other> __device__ void Load(From from, T (&values)[N], int valid, Other otherwise) {
    for (int i = 0; i < N; ++i) {
      values[i] = otherwise;
      if (place(i) < valid) values[i] = from[place(i)];
    }
  }

private:
  __device__ static int place(int i) {
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return A == BLOCK_LOAD_STRIPED ? i * (X * Y * Z) + thread : thread * N + i;
  }
};

template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1> class BlockStore {
  static_assert((A != BLOCK_STORE_WARP_TRANSPOSE && A != BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED) || X * Y * Z % 32 == 0,
                "BLOCK_THREADS must be a multiple of WARP_THREADS");

public:
  struct TempStorage {};

  __device__ BlockStore() {}
  __device__ BlockStore(TempStorage &) {}

  template <class To> __device__ void Store(To to, T (&values)[N]) {
    for (int i = 0; i < N; ++i) to[place(i)] = values[i];
  }
  template <class To> __device__ void Store(To to, T (&values)[N], int valid) {
    for (int i = 0; i < N; ++i) {
      if (place(i) < valid) to[place(i)] = values[i];
    }
  }

private:
  __device__ static int place(int i) {
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return A == BLOCK_STORE_STRIPED ? i * (X * Y * Z) + thread : thread * N + i;
  }
};

// ---- in a warp ----

template <class T, int Lanes = 32> class WarpReduce {
public:
  struct TempStorage {};

  __device__ WarpReduce() {}
  __device__ WarpReduce(TempStorage &) {}

  // What they give is for the first lane only.
  __device__ T Sum(T value) { return Reduce(value, cladpy::algorithms::plus<T>()); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cladpy::algorithms::plus<T>(), valid); }
  template <class Op> __device__ T Reduce(T value, Op op) {
    T own = value;
    for (int step = Lanes / 2; step > 0; step /= 2) own = op(own, __shfl_down_sync(0xffffffffu, own, step, Lanes));
    return own;
  }
  // Of the first lanes.
  template <class Op> __device__ T Reduce(T value, Op op, int valid) {
    T own = value;
    const int lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % Lanes;
    for (int step = 1; step < Lanes; step *= 2) {
      const T other = __shfl_down_sync(0xffffffffu, own, step, Lanes);
      if (lane % (2 * step) == 0 && lane + step < valid) own = op(own, other);
    }
    return own;
  }
};

template <class T, int Lanes = 32> class WarpScan {
public:
  struct TempStorage {};

  __device__ WarpScan() {}
  __device__ WarpScan(TempStorage &) {}

  __device__ void InclusiveSum(T value, T &result) { result = scanned(value, plus()); }
  __device__ void InclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, plus(), all); }
  __device__ void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), plus()); }
  __device__ void ExclusiveSum(T value, T &result, T &all) { ExclusiveScan(value, result, T(), plus(), all); }
  template <class Op> __device__ void InclusiveScan(T value, T &result, Op op) { result = scanned(value, op); }
  template <class Op> __device__ void InclusiveScan(T value, T &result, Op op, T &all) {
    result = scanned(value, op);
    all = last(result);
  }
  template <class Op> __device__ void ExclusiveScan(T value, T &result, T first, Op op) {
    const T previous = before(scanned(value, op));
    result = lane() == 0 ? first : op(first, previous);
  }
  template <class Op> __device__ void ExclusiveScan(T value, T &result, T first, Op op, T &all) {
    const T own = scanned(value, op), previous = before(own);
    all = last(own);
    result = lane() == 0 ? first : op(first, previous);
  }
  template <class Op> __device__ void ExclusiveScan(T value, T &result, Op op) { result = before(scanned(value, op)); }
  template <class Op> __device__ void ExclusiveScan(T value, T &result, Op op, T &all) {
    const T own = scanned(value, op);
    all = last(own);
    result = before(own);
  }
  template <class Op> __device__ void Scan(T value, T &inclusive, T &exclusive, Op op) {
    inclusive = scanned(value, op);
    exclusive = before(inclusive);
  }
  __device__ T Broadcast(T value, unsigned int from) { return __shfl_sync(0xffffffffu, value, from, Lanes); }

private:
  using plus = cladpy::algorithms::plus<T>;

  __device__ static int lane() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % Lanes; }
  template <class Op> __device__ static T scanned(T value, Op op) {
    T own = value;
    for (int step = 1; step < Lanes; step *= 2) {
      const T other = __shfl_up_sync(0xffffffffu, own, step, Lanes);
      if (lane() >= step) own = op(other, own);
    }
    return own;
  }
  __device__ static T before(T own) { return __shfl_up_sync(0xffffffffu, own, 1, Lanes); }
  __device__ static T last(T own) { return __shfl_sync(0xffffffffu, own, Lanes - 1, Lanes); }
};

// ---- on a device ----

// What is called first without memory, to be told how much it takes.
inline bool cladpy_asks(void *memory, std::size_t &bytes) {
  if (memory != nullptr) return false;
  bytes = 1;
  return true;
}
template <class T> void cladpy_set(T *out, T value) { CLADPY_ALGORITHM((cladpy::algorithms::fill<T *, T>), 1, 1, out, value, std::size_t(1)); }

template <class T, class Op> void cladpy_reduce(const T *in, T *out, std::size_t n, Op op) {
  if (n) cladpy::algorithms::reduce_to(in, cladpy::algorithms::identity<T>(), op, out, n);
}
inline void cladpy_reduce(const double *in, double *out, std::size_t n, cladpy::algorithms::plus<double>) {
  if (n)
    CLADPY_ALGORITHM((cladpy::algorithms::sum<const double *, cladpy::algorithms::identity<double>, double>), cladpy::algorithms::blocks_of_sum(n), 256, in,
                     cladpy::algorithms::identity<double>(), out, n);
}
inline void cladpy_reduce(const float *in, float *out, std::size_t n, cladpy::algorithms::plus<float>) {
  if (n)
    CLADPY_ALGORITHM((cladpy::algorithms::sum<const float *, cladpy::algorithms::identity<float>, float>), cladpy::algorithms::blocks_of_sum(n), 256, in,
                     cladpy::algorithms::identity<float>(), out, n);
}

struct DeviceReduce {
  template <class T>
  static cudaError_t Sum(void *memory, std::size_t &bytes, const T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    if (cladpy_asks(memory, bytes)) return cudaSuccess;
    cladpy_set(out, T());
    cladpy_reduce(in, out, n, cladpy::algorithms::plus<T>());
    return cudaSuccess;
  }
  template <class T>
  static cudaError_t Sum(void *memory, std::size_t &bytes, T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    return Sum(memory, bytes, static_cast<const T *>(in), out, n);
  }
  template <class T, class Op>
  static cudaError_t Reduce(void *memory, std::size_t &bytes, const T *in, T *out, std::size_t n, Op op, T init, cudaStream_t = nullptr) {
    if (cladpy_asks(memory, bytes)) return cudaSuccess;
    cladpy_set(out, init);
    cladpy_reduce(in, out, n, op);
    return cudaSuccess;
  }
  template <class T, class Op>
  static cudaError_t Reduce(void *memory, std::size_t &bytes, T *in, T *out, std::size_t n, Op op, T init, cudaStream_t = nullptr) {
    return Reduce(memory, bytes, static_cast<const T *>(in), out, n, op, init);
  }
  template <class T>
  static cudaError_t Max(void *memory, std::size_t &bytes, const T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    return from_first(memory, bytes, in, out, n, cladpy::algorithms::larger<T>());
  }
  template <class T>
  static cudaError_t Max(void *memory, std::size_t &bytes, T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    return from_first(memory, bytes, static_cast<const T *>(in), out, n, cladpy::algorithms::larger<T>());
  }
  template <class T>
  static cudaError_t Min(void *memory, std::size_t &bytes, const T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    return from_first(memory, bytes, in, out, n, cladpy::algorithms::smaller<T>());
  }
  template <class T>
  static cudaError_t Min(void *memory, std::size_t &bytes, T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    return from_first(memory, bytes, static_cast<const T *>(in), out, n, cladpy::algorithms::smaller<T>());
  }

private:
  template <class T, class Op>
  static cudaError_t from_first(void *memory, std::size_t &bytes, const T *in, T *out, std::size_t n, Op op) {
    if (cladpy_asks(memory, bytes)) return cudaSuccess;
    cudaMemcpy(out, in, sizeof(T), cudaMemcpyDeviceToDevice);
    if (n > 1) cladpy_reduce(in + 1, out, n - 1, op);
    return cudaSuccess;
  }
};

struct DeviceScan {
  template <class T>
  static cudaError_t InclusiveSum(void *memory, std::size_t &bytes, const T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    return InclusiveScan(memory, bytes, in, out, cladpy::algorithms::plus<T>(), n);
  }
  template <class T>
  static cudaError_t InclusiveSum(void *memory, std::size_t &bytes, T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    return InclusiveScan(memory, bytes, static_cast<const T *>(in), out, cladpy::algorithms::plus<T>(), n);
  }
  template <class T>
  static cudaError_t ExclusiveSum(void *memory, std::size_t &bytes, const T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    return ExclusiveScan(memory, bytes, in, out, cladpy::algorithms::plus<T>(), T(), n);
  }
  template <class T>
  static cudaError_t ExclusiveSum(void *memory, std::size_t &bytes, T *in, T *out, std::size_t n, cudaStream_t = nullptr) {
    return ExclusiveScan(memory, bytes, static_cast<const T *>(in), out, cladpy::algorithms::plus<T>(), T(), n);
  }
  template <class T, class Op>
  static cudaError_t InclusiveScan(void *memory, std::size_t &bytes, const T *in, T *out, Op op, std::size_t n, cudaStream_t = nullptr) {
    if (cladpy_asks(memory, bytes)) return cudaSuccess;
    if (n) cladpy::algorithms::inclusive_scan<T>(in, out, op, n);
    return cudaSuccess;
  }
  template <class T, class Op>
  static cudaError_t ExclusiveScan(void *memory, std::size_t &bytes, const T *in, T *out, Op op, T init, std::size_t n, cudaStream_t = nullptr) {
    if (cladpy_asks(memory, bytes)) return cudaSuccess;
    if (n) cladpy::algorithms::exclusive_scan<T>(in, out, init, op, n);
    return cudaSuccess;
  }
};

// Two buffers for what is sorted: of which the other is the current one behind it.
template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;

  __host__ __device__ DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  __host__ __device__ DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
  __host__ __device__ T *Current() { return d_buffers[selector]; }
  __host__ __device__ T *Alternate() { return d_buffers[selector ^ 1]; }
};

template <class T, class = typename std::enable_if<std::is_floating_point<T>::value>::type, class = void>
void cladpy_order_by_bits(const T *, unsigned *, std::size_t, int, int, bool) {
  throw std::logic_error("a sort by some bits of floating-point numbers has no gradient");
}
template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
void cladpy_order_by_bits(const T *keys, unsigned *order, std::size_t n, int begin, int end, bool largest_first) {
  typedef typename std::make_unsigned<T>::type U;
  const U mask = end - begin >= int(8 * sizeof(T)) ? U(-1) : U((U(1) << (end - begin)) - 1);
  const T smallest = T(-1) < T(0) ? T(U(1) << (8 * sizeof(T) - 1)) : T(0);
  const cladpy::algorithms::digits<T> some{smallest, begin, mask};
  U *own;
  cudaMalloc(&own, n * sizeof(U));
  CLADPY_ALGORITHM((cladpy::algorithms::transform<const T *, U *, cladpy::algorithms::digits<T>>), cladpy::algorithms::blocks_for(n), 256, keys, own, some, n);
  cladpy::sorting::order(own, order, n, largest_first);
  cudaFree(own);
}
template <class T> void cladpy_move(const T *from, const unsigned *order, T *to, std::size_t n) {
  CLADPY_ALGORITHM((cladpy::algorithms::gather<const T *, const unsigned *, T *>), cladpy::algorithms::blocks_for(n), 256, from, order, to, n);
}
template <class K> unsigned *cladpy_ordered(const K *keys, std::size_t n, int begin, int end, bool largest_first) {
  unsigned *order;
  cudaMalloc(&order, n * sizeof(unsigned));
  if (begin == 0 && end == int(8 * sizeof(K)))
    cladpy::sorting::order(keys, order, n, largest_first);
  else
    cladpy_order_by_bits(keys, order, n, begin, end, largest_first);
  return order;
}

struct DeviceRadixSort {
#define CLADPY_RADIX_SORT(Keys, Pairs, largest_first)                                                                  \
  template <class K>                                                                                                   \
  static cudaError_t Keys(void *memory, std::size_t &bytes, const K *keys, K *sorted, std::size_t n, int begin = 0,    \
                          int end = 8 * sizeof(K), cudaStream_t = nullptr) {                                           \
    if (cladpy_asks(memory, bytes) || n == 0) return cudaSuccess;                                                      \
    unsigned *const order = cladpy_ordered(keys, n, begin, end, largest_first);                                        \
    cladpy_move(keys, order, sorted, n);                                                                               \
    cudaFree(order);                                                                                                   \
    return cudaSuccess;                                                                                                \
  }                                                                                                                    \
  template <class K, class V>                                                                                          \
  static cudaError_t Pairs(void *memory, std::size_t &bytes, const K *keys, K *sorted, const V *values, V *moved,      \
                           std::size_t n, int begin = 0, int end = 8 * sizeof(K), cudaStream_t = nullptr) {            \
    if (cladpy_asks(memory, bytes) || n == 0) return cudaSuccess;                                                      \
    unsigned *const order = cladpy_ordered(keys, n, begin, end, largest_first);                                        \
    cladpy_move(keys, order, sorted, n);                                                                               \
    cladpy_move(values, order, moved, n);                                                                              \
    cudaFree(order);                                                                                                   \
    return cudaSuccess;                                                                                                \
  }                                                                                                                    \
  template <class K>                                                                                                   \
  static cudaError_t Keys(void *memory, std::size_t &bytes, DoubleBuffer<K> &keys, std::size_t n, int begin = 0,       \
                          int end = 8 * sizeof(K), cudaStream_t stream = nullptr) {                                    \
    if (memory) {                                                                                                      \
      Keys(memory, bytes, static_cast<const K *>(keys.Current()), keys.Alternate(), n, begin, end, stream);            \
      keys.selector ^= 1;                                                                                              \
    } else {                                                                                                           \
      bytes = 1;                                                                                                       \
    }                                                                                                                  \
    return cudaSuccess;                                                                                                \
  }                                                                                                                    \
  template <class K, class V>                                                                                          \
  static cudaError_t Pairs(void *memory, std::size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values,           \
                           std::size_t n, int begin = 0, int end = 8 * sizeof(K), cudaStream_t stream = nullptr) {     \
    if (memory) {                                                                                                      \
      Pairs(memory, bytes, static_cast<const K *>(keys.Current()), keys.Alternate(),                                   \
            static_cast<const V *>(values.Current()), values.Alternate(), n, begin, end, stream);                      \
      keys.selector ^= 1;                                                                                              \
      values.selector ^= 1;                                                                                            \
    } else {                                                                                                           \
      bytes = 1;                                                                                                       \
    }                                                                                                                  \
    return cudaSuccess;                                                                                                \
  }
  CLADPY_RADIX_SORT(SortKeys, SortPairs, false)
  CLADPY_RADIX_SORT(SortKeysDescending, SortPairsDescending, true)
#undef CLADPY_RADIX_SORT
};

struct DeviceMergeSort {
  template <class K, class Op>
  static cudaError_t SortKeys(void *memory, std::size_t &bytes, K *keys, std::size_t n, Op op, cudaStream_t = nullptr) {
    if (cladpy_asks(memory, bytes) || n == 0) return cudaSuccess;
    unsigned *order;
    cudaMalloc(&order, n * sizeof(unsigned));
    cladpy::algorithms::order_by(static_cast<const K *>(keys), order, n, op);
    cladpy::algorithms::permute(keys, order, n);
    cudaFree(order);
    return cudaSuccess;
  }
  template <class K, class V, class Op>
  static cudaError_t SortPairs(void *memory, std::size_t &bytes, K *keys, V *values, std::size_t n, Op op, cudaStream_t = nullptr) {
    if (cladpy_asks(memory, bytes) || n == 0) return cudaSuccess;
    unsigned *order;
    cudaMalloc(&order, n * sizeof(unsigned));
    cladpy::algorithms::order_by(static_cast<const K *>(keys), order, n, op);
    cladpy::algorithms::permute(keys, order, n);
    cladpy::algorithms::permute(values, order, n);
    cudaFree(order);
    return cudaSuccess;
  }
  template <class K, class Op>
  static cudaError_t StableSortKeys(void *memory, std::size_t &bytes, K *keys, std::size_t n, Op op, cudaStream_t stream = nullptr) {
    return SortKeys(memory, bytes, keys, n, op, stream);
  }
  template <class K, class V, class Op>
  static cudaError_t StableSortPairs(void *memory, std::size_t &bytes, K *keys, V *values, std::size_t n, Op op, cudaStream_t stream = nullptr) {
    return SortPairs(memory, bytes, keys, values, n, op, stream);
  }
};

} // namespace cub

#endif
