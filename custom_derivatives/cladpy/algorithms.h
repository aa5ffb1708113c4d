// Algorithms over ranges of the device's memory as kernels: what the front end reads for those of Thrust and CUB, what
// the host backend runs for them, and what gradients launch. Sums and scans are made of pieces, in order, so that any
// associative operation will do.
#pragma once

#include <cstddef>
#include <type_traits>

#ifdef CLADPY_HOST_H
#define CLADPY_ALGORITHM(kernel, blocks, threads, ...) \
  (void)cladpy::host::launch(dim3(blocks), dim3(threads), 0, nullptr, [&] { kernel(__VA_ARGS__); })
#else
#define CLADPY_ALGORITHM(kernel, blocks, threads, ...) kernel<<<(blocks), (threads)>>>(__VA_ARGS__)
#endif

namespace cladpy {
namespace algorithms {

// ---- what ranges may be made of, beside pointers, and operations ----

template <class T> struct counting {
  T first;
  __host__ __device__ T operator[](std::size_t i) const { return first + static_cast<T>(i); }
};
template <class T> struct constant {
  T value;
  __host__ __device__ T operator[](std::size_t) const { return value; }
};
// What a function makes of each element of another range.
template <class In, class F> struct transformed {
  In in;
  F f;
  __host__ __device__ auto operator[](std::size_t i) const -> decltype(f(in[i])) { return f(in[i]); }
};
template <class T> struct identity {
  __host__ __device__ T operator()(const T &x) const { return x; }
};

template <class T> struct plus {
  __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <class T> struct larger {
  __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T> struct smaller {
  __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

// The bits of integers that a sort looks at, so that they are in order where those are.
template <class T> struct digits {
  typedef typename std::make_unsigned<T>::type U;
  T smallest;
  int begin;
  U mask;
  __host__ __device__ U operator()(T key) const { return (U(U(key) ^ U(smallest)) >> begin) & mask; }
};
inline unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + 255) / 256); }
// How many elements a thread takes one after the other, where it has to.
inline std::size_t piece_of(std::size_t n) { return n > 8192 * std::size_t(16) ? (n + 8191) / 8192 : 16; }

// ---- element by element ----

template <class In, class Out, class F> __global__ void transform(In in, Out out, F f, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = f(in[i]);
}
template <class A, class B, class Out, class F> __global__ void transform_pairs(A a, B b, Out out, F f, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = f(a[i], b[i]);
}
template <class In, class F> __global__ void for_each(In in, F f, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) f(in[i]);
}
template <class Out, class T> __global__ void fill(Out out, T value, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = value;
}
template <class Out, class T> __global__ void sequence(Out out, T first, T step, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = first + static_cast<T>(i) * step;
}

// ---- sums ----

// Of floating-point numbers: each thread adds up what lies a grid apart.
template <class In, class F, class T> __global__ void sum(In in, F f, T *total, std::size_t n) {
  T own = T();
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    own += f(in[i]);
  atomicAdd(total, own);
}
template <class A, class B, class F, class T> __global__ void sum_pairs(A a, B b, F f, T *total, std::size_t n) {
  T own = T();
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    own += f(a[i], b[i]);
  atomicAdd(total, own);
}
inline unsigned blocks_of_sum(std::size_t n) { return blocks_for(n) < 512 ? blocks_for(n) : 512; }

// Of anything else, by any associative operation: the pieces first, then what they gave.
template <class In, class F, class T, class Op>
__global__ void reduce_pieces(In in, F f, Op op, T *parts, std::size_t n, std::size_t piece) {
  const std::size_t part = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t first = part * piece;
  if (first >= n) return;
  const std::size_t last = first + piece < n ? first + piece : n;
  T own = f(in[first]);
  for (std::size_t i = first + 1; i < last; ++i) own = op(own, f(in[i]));
  parts[part] = own;
}
template <class A, class B, class F, class T, class Op>
__global__ void reduce_pieces_of_pairs(A a, B b, F f, Op op, T *parts, std::size_t n, std::size_t piece) {
  const std::size_t part = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t first = part * piece;
  if (first >= n) return;
  const std::size_t last = first + piece < n ? first + piece : n;
  T own = f(a[first], b[first]);
  for (std::size_t i = first + 1; i < last; ++i) own = op(own, f(a[i], b[i]));
  parts[part] = own;
}
template <class T, class Op> __global__ void reduce_rest(const T *parts, Op op, T *total, std::size_t count) {
  T own = *total;
  for (std::size_t i = 0; i < count; ++i) own = op(own, parts[i]);
  *total = own;
}

// ---- scans ----

// What comes before each piece: all of the pieces before it, after `first` where there is one.
template <class T, class Op> __global__ void scan_parts(const T *parts, Op op, T *before, std::size_t count) {
  T own = parts[0];
  for (std::size_t i = 1; i < count; ++i) {
    before[i] = own;
    own = op(own, parts[i]);
  }
}
template <class In, class Out, class T, class Op>
__global__ void scan_pieces(In in, Out out, Op op, const T *before, std::size_t n, std::size_t piece) {
  const std::size_t part = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t first = part * piece;
  if (first >= n) return;
  const std::size_t last = first + piece < n ? first + piece : n;
  T own = in[first];
  if (part > 0) own = op(before[part], own);
  out[first] = own;
  for (std::size_t i = first + 1; i < last; ++i) {
    own = op(own, in[i]);
    out[i] = own;
  }
}
template <class In, class Out, class T, class Op>
__global__ void scan_pieces_exclusive(In in, Out out, Op op, T first_of_all, const T *before, std::size_t n, std::size_t piece) {
  const std::size_t part = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t first = part * piece;
  if (first >= n) return;
  const std::size_t last = first + piece < n ? first + piece : n;
  T own = first_of_all;
  if (part > 0) own = op(own, before[part]);
  for (std::size_t i = first; i < last; ++i) {
    const T next = in[i];
    out[i] = own;
    own = op(own, next);
  }
}

// ---- orders ----

// Two runs of places whose keys are in order become one: each place finds out how many of the other run come before it.
template <class T, class Before>
__global__ void merge_orders(const T *keys, const unsigned *order, unsigned *merged, Before before, std::size_t n, std::size_t width) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const std::size_t begin = i / (2 * width) * (2 * width);
  const std::size_t middle = begin + width < n ? begin + width : n, end = begin + 2 * width < n ? begin + 2 * width : n;
  const bool is_first = i < middle;
  const unsigned own = order[i];
  std::size_t low = is_first ? middle : begin, high = is_first ? end : middle;
  while (low < high) {
    const std::size_t half = (low + high) / 2;
    const unsigned other = order[half];
    if (is_first ? before(keys[other], keys[own]) : !before(keys[own], keys[other]))
      low = half + 1;
    else
      high = half;
  }
  merged[i + low - middle] = own;
}
template <class In, class Places, class Out> __global__ void gather(In in, Places places, Out out, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = in[places[i]];
}
template <class In, class Places, class Out> __global__ void scatter(In in, Places places, Out out, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[places[i]] = in[i];
}

// ---- as host code calls them ----

// order[i] is where the ith of the keys in their order comes from; of equal ones the first is the first.
template <class T, class Before> void order_by(const T *keys, unsigned *order, std::size_t n, Before before) {
  unsigned *merged;
  cudaMalloc(&merged, n * sizeof(unsigned));
  CLADPY_ALGORITHM((sequence<unsigned *, unsigned>), blocks_for(n), 256, order, 0u, 1u, n);
  for (std::size_t width = 1; width < n; width *= 2) {
    CLADPY_ALGORITHM((merge_orders<T, Before>), blocks_for(n), 256, keys, order, merged, before, n, width);
    cudaMemcpy(order, merged, n * sizeof(unsigned), cudaMemcpyDeviceToDevice);
  }
  cudaFree(merged);
}
template <class T> void permute(T *values, const unsigned *order, std::size_t n) {
  T *before;
  cudaMalloc(&before, n * sizeof(T));
  cudaMemcpy(before, values, n * sizeof(T), cudaMemcpyDeviceToDevice);
  CLADPY_ALGORITHM((gather<const T *, const unsigned *, T *>), blocks_for(n), 256, before, order, values, n);
  cudaFree(before);
}

// total = op(total, f(in[0]), f(in[1]), ...), in memory of the device
template <class In, class F, class T, class Op> void reduce_to(In in, F f, Op op, T *total, std::size_t n) {
  const std::size_t piece = piece_of(n), count = (n + piece - 1) / piece;
  T *parts;
  cudaMalloc(&parts, count * sizeof(T));
  CLADPY_ALGORITHM((reduce_pieces<In, F, T, Op>), blocks_for(count), 256, in, f, op, parts, n, piece);
  CLADPY_ALGORITHM((reduce_rest<T, Op>), 1, 1, parts, op, total, count);
  cudaFree(parts);
}
template <class A, class B, class F, class T, class Op>
void reduce_pairs_to(A a, B b, F f, Op op, T *total, std::size_t n) {
  const std::size_t piece = piece_of(n), count = (n + piece - 1) / piece;
  T *parts;
  cudaMalloc(&parts, count * sizeof(T));
  CLADPY_ALGORITHM((reduce_pieces_of_pairs<A, B, F, T, Op>), blocks_for(count), 256, a, b, f, op, parts, n, piece);
  CLADPY_ALGORITHM((reduce_rest<T, Op>), 1, 1, parts, op, total, count);
  cudaFree(parts);
}
template <class T, class In, class Out, class Op> void inclusive_scan(In in, Out out, Op op, std::size_t n) {
  const std::size_t piece = piece_of(n), count = (n + piece - 1) / piece;
  T *parts, *before;
  cudaMalloc(&parts, count * sizeof(T));
  cudaMalloc(&before, count * sizeof(T));
  CLADPY_ALGORITHM((reduce_pieces<In, identity<T>, T, Op>), blocks_for(count), 256, in, identity<T>(), op, parts, n, piece);
  CLADPY_ALGORITHM((scan_parts<T, Op>), 1, 1, parts, op, before, count);
  CLADPY_ALGORITHM((scan_pieces<In, Out, T, Op>), blocks_for(count), 256, in, out, op, before, n, piece);
  cudaFree(before);
  cudaFree(parts);
}
template <class T, class In, class Out, class Op> void exclusive_scan(In in, Out out, T first, Op op, std::size_t n) {
  const std::size_t piece = piece_of(n), count = (n + piece - 1) / piece;
  T *parts, *before;
  cudaMalloc(&parts, count * sizeof(T));
  cudaMalloc(&before, count * sizeof(T));
  CLADPY_ALGORITHM((reduce_pieces<In, identity<T>, T, Op>), blocks_for(count), 256, in, identity<T>(), op, parts, n, piece);
  CLADPY_ALGORITHM((scan_parts<T, Op>), 1, 1, parts, op, before, count);
  CLADPY_ALGORITHM((scan_pieces_exclusive<In, Out, T, Op>), blocks_for(count), 256, in, out, op, first, before, n, piece);
  cudaFree(before);
  cudaFree(parts);
}

}  // namespace algorithms
}  // namespace cladpy

#include <cladpy/algorithms_by_place.h>
#include <cladpy/algorithms_together.h>
