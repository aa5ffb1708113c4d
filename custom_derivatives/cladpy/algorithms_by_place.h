// Algorithms over ranges of the device's memory that look at the neighbour, or move what a condition or a run of equal
// keys says. Part of <cladpy/algorithms.h>.
#pragma once

namespace cladpy {
namespace algorithms {

// ---- ranges ----

// The elements that a map names.
template <class In, class Map> struct permuted {
  In in;
  Map map;
  __host__ __device__ auto operator[](std::size_t i) const -> typename std::decay<decltype(in[0])>::type { return in[map[i]]; }
};
// 1 where a condition holds.
template <class In, class P> struct held {
  In in;
  P holds;
  __host__ __device__ long operator[](std::size_t i) const { return holds(in[i]) ? 1 : 0; }
};
// 1 where a run of equal keys begins.
template <class Keys, class Equal> struct heads {
  Keys keys;
  Equal equal;
  __host__ __device__ long operator[](std::size_t i) const { return i == 0 || !equal(keys[i - 1], keys[i]) ? 1 : 0; }
};
// 1 where an element of a sorted range is in the other one too, or where it is not: of m that are equal, beside n equals in
// the other, the first min(m, n) are in both, and those behind them only here.
template <class Own, class Other, class Before> struct beside {
  Own own;
  Other other;
  std::size_t others;
  Before before;
  bool in_both;

  // How many of the first n elements come before a value, or are equal to it as well.
  template <class In, class T> __host__ __device__ std::size_t below(In in, std::size_t n, const T &value, bool equals) const {
    std::size_t low = 0, high = n;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (equals ? !before(value, in[middle]) : before(in[middle], value)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  __host__ __device__ long operator[](std::size_t i) const {
    const auto value = own[i];
    const std::size_t rank = i - below(own, i, value, false);
    const std::size_t equals = below(other, others, value, true) - below(other, others, value, false);
    return (rank < equals) == in_both ? 1 : 0;
  }
};

// ---- operations ----

template <class P> struct counted {
  P holds;
  template <class T> __host__ __device__ long operator()(const T &x) const { return holds(x) ? 1 : 0; }
};
template <class P> struct negated {
  P holds;
  template <class T> __host__ __device__ bool operator()(const T &x) const { return !holds(x); }
};
template <class T> struct equal_to {
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a == b; }
};
template <class T> struct less {
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
template <class T> struct is {
  T value;
  __host__ __device__ bool operator()(const T &x) const { return x == value; }
};
template <class Less, class T> struct is_before {
  Less before;
  T value;
  __host__ __device__ bool operator()(const T &x) const { return before(x, value); }
};
template <class Less, class T> struct is_not_after {
  Less before;
  T value;
  __host__ __device__ bool operator()(const T &x) const { return !before(value, x); }
};
template <class Equal> struct differ {
  Equal equal;
  template <class A, class B> __host__ __device__ long operator()(const A &a, const B &b) const { return equal(a, b) ? 0 : 1; }
};
// Of two places, that of the larger or the smaller element; of equals the first.
template <class In, class Less> struct place_of_larger {
  In in;
  Less before;
  __host__ __device__ long operator()(long a, long b) const { return before(in[a], in[b]) ? b : a; }
};
template <class In, class Less> struct place_of_smaller {
  In in;
  Less before;
  __host__ __device__ long operator()(long a, long b) const { return before(in[b], in[a]) ? b : a; }
};
template <class In, class P> struct place_if {
  In in;
  P holds;
  long none;
  __host__ __device__ long operator()(long i) const { return holds(in[i]) ? i : none; }
};

// ---- from the neighbour ----

template <class In, class Out, class F> __global__ void adjacent(In in, Out out, F f, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) {
    if (i == 0) out[i] = in[i];
    else out[i] = f(in[i], in[i - 1]);
  }
}
template <class T> __global__ void reverse(T *place, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n / 2) {
    const T first = place[i], last = place[n - 1 - i];
    place[i] = last;
    place[n - 1 - i] = first;
  }
}

// ---- by a condition ----

template <class In, class Stencil, class Out, class F, class P>
__global__ void transform_if(In in, Stencil stencil, Out out, F f, P holds, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n && holds(stencil[i])) out[i] = f(in[i]);
}
// `places` counts what is kept up to each element.
template <class In, class Flags, class Out> __global__ void keep(In in, Flags flags, Out out, const long *places, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n && flags[i]) out[places[i] - 1] = in[i];
}

// ---- by runs of equal keys, each a thread's ----

template <class Keys, class In, class Out, class Equal, class Op>
__global__ void reduce_runs(Keys keys, In in, Out out, Equal equal, Op op, const long *places, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i >= n || (i > 0 && equal(keys[i - 1], keys[i]))) return;
  auto own = in[i];
  for (std::size_t j = i + 1; j < n && equal(keys[j - 1], keys[j]); ++j) own = op(own, in[j]);
  out[places[i] - 1] = own;
}
template <class In, class T> __global__ void sum_runs(In in, T *out, const long *places, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) atomicAdd(&out[places[i] - 1], in[i]);
}
template <class Keys, class In, class Out, class Equal, class Op>
__global__ void scan_runs(Keys keys, In in, Out out, Equal equal, Op op, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i >= n || (i > 0 && equal(keys[i - 1], keys[i]))) return;
  auto own = in[i];
  out[i] = own;
  for (std::size_t j = i + 1; j < n && equal(keys[j - 1], keys[j]); ++j) {
    own = op(own, in[j]);
    out[j] = own;
  }
}
template <class Keys, class In, class T, class Equal, class Op>
__global__ void scan_runs_exclusive(Keys keys, In in, T *out, T first, Equal equal, Op op, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i >= n || (i > 0 && equal(keys[i - 1], keys[i]))) return;
  T own = first;
  for (std::size_t j = i; j < n && (j == i || equal(keys[j - 1], keys[j])); ++j) {
    const T next = in[j];
    out[j] = own;
    own = op(own, next);
  }
}

// ---- as host code calls them ----

// How many are counted up to each element: memory of the device, which the caller frees.
template <class Flags> long *places_of(Flags flags, std::size_t n) {
  long *places;
  cudaMalloc(&places, n * sizeof(long));
  inclusive_scan<long>(flags, places, plus<long>(), n);
  return places;
}
inline long last_of(const long *places, std::size_t n) {
  long count;
  cudaMemcpy(&count, places + (n - 1), sizeof(long), cudaMemcpyDeviceToHost);
  return count;
}

}  // namespace algorithms
}  // namespace cladpy
