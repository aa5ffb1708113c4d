// CUB in terms of shared memory, barriers, shuffles and the kernels of <cladpy/algorithms.h>: what cladpy reads where a
// program includes CUB, and what the host backend runs. nvcc compiles CUDA's own.
#ifndef CLADPY_CUB_CUB_CUH
#define CLADPY_CUB_CUB_CUH

#include <cuda_runtime.h>

#include <cladpy/algorithms.h>
#include <cuda/functional>
#include <cuda/std/functional>

#include <cstddef>

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

  __device__ void InclusiveSum(T value, T &result) { result = sums(value); }
  __device__ void InclusiveSum(T value, T &result, T &all) {
    result = sums(value);
    all = last(result);
  }
  __device__ void ExclusiveSum(T value, T &result) { result = before(sums(value)); }
  __device__ void ExclusiveSum(T value, T &result, T &all) {
    const T own = sums(value);
    all = last(own);
    result = before(own);
  }

private:
  __device__ static int thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  __device__ static T sums(T value) {
    __shared__ T parts[X * Y * Z];
    const int here = thread();
    T own = value;
    for (int step = 1; step < X * Y * Z; step *= 2) {
      parts[here] = own;
      __syncthreads();
      if (here >= step) own += parts[here - step];
      __syncthreads();
    }
    return own;
  }
  __device__ static T before(T own) {
    __shared__ T parts[X * Y * Z];
    const int here = thread();
    parts[here] = own;
    __syncthreads();
    T result = T();
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

// ---- in a warp ----

template <class T, int Lanes = 32> class WarpReduce {
public:
  struct TempStorage {};

  __device__ WarpReduce() {}
  __device__ WarpReduce(TempStorage &) {}

  // What they give is for the first lane only.
  __device__ T Sum(T value) {
    T own = value;
    for (int step = Lanes / 2; step > 0; step /= 2) own += __shfl_down_sync(0xffffffffu, own, step, Lanes);
    return own;
  }
  template <class Op> __device__ T Reduce(T value, Op op) {
    T own = value;
    for (int step = Lanes / 2; step > 0; step /= 2) own = op(own, __shfl_down_sync(0xffffffffu, own, step, Lanes));
    return own;
  }
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

} // namespace cub

#endif
