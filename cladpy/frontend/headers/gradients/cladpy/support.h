// What emitted gradients are made of, as far as a gradient of theirs needs to know: what sums come to, not how threads share
// the work. The same names as in cladpy's header library, in whose place the front end reads this.
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include <cladpy/arithmetic.h>
#include <cladpy/checkpoints.h>
#include <cladpy/warp.h>

#define CLADPY_UNROLL
#define CLADPY_APART
#define CLADPY_SUMS(...)
#define CLADPY_DYNAMIC_SHARED(name) extern __shared__ unsigned char name[]
#define CLADPY_SHARED_ARRAY(name, symbol, initialization)
#define CLADPY_UNNAMED_SHARED(name)
#define CLADPY_EACH_BLOCK(block, state, shared) if ([[maybe_unused]] const uint3 block = ::blockIdx; true)

namespace cladpy {

template <class T>
__host__ __device__ inline bool is_nan(T x) {
  return x != x;
}

// A slot holds a number as what it is: the adjoints of those that are not whole are numbers.
template <int Slots>
class local_tape {
 public:
  __host__ __device__ void push(double value) { numbers_[top_++] = value; }
  __host__ __device__ void push(float value) { numbers_[top_++] = value; }
  template <class T>
  __host__ __device__ void push(T value) {
    whole_[top_++] = static_cast<long long>(value);
  }
  template <class T>
  __host__ __device__ T pop() {
    --top_;
    if constexpr (T(0.5) == T(0)) {
      return static_cast<T>(whole_[top_]);
    } else {
      return static_cast<T>(numbers_[top_]);
    }
  }

 private:
  double numbers_[Slots];
  long long whole_[Slots];
  int top_ = 0;
};

// Of host functions.
class growing_tape {
 public:
  growing_tape() {}
  void push(double value) { numbers_.push_back(value); }
  void push(float value) { numbers_.push_back(value); }
  template <class T>
  void push(T value) {
    whole_.push_back(static_cast<long long>(value));
  }
  template <class T>
  T pop() {
    if constexpr (T(0.5) == T(0)) {
      const T value = static_cast<T>(whole_.back());
      whole_.pop_back();
      return value;
    } else {
      const T value = static_cast<T>(numbers_.back());
      numbers_.pop_back();
      return value;
    }
  }

 private:
  std::vector<double> numbers_;
  std::vector<long long> whole_;
};

// A kernel runs for the blocks of the original, each for itself: what <cladpy/launch.h> does with fewer is not differentiated.
struct launch_state {
  dim3 grid;
  unsigned long long *workspace;
  unsigned long long blocks, slots;
  unsigned staging_at = 0, staging = 0;
  bool of_warps = false;
};
__device__ inline launch_state own_grid() {
  launch_state own;
  own.grid = dim3(gridDim.x, gridDim.y, gridDim.z);
  return own;
}
#define or_own_grid(given) own_grid()

struct logical_blocks {
  struct iterator {
    __device__ bool operator!=(const iterator &other) const { return at != other.at; }
    __device__ uint3 operator*() const { return blockIdx; }
    __device__ void operator++() { ++at; }
    int at;
  };
  __device__ iterator begin() const { return {0}; }
  __device__ iterator end() const { return {1}; }

  const launch_state &state;
  bool shared;
};

template <class T>
__device__ inline void atomic_add(T *cell, T value) {
  atomicAdd(cell, value);
}
template <class T>
__device__ inline void meeting_add(T *cell, T value) {
  atomicAdd(cell, value);
}
template <class T>
__device__ inline void reduce_add(T *cell, T value) {
  atomicAdd(cell, value);
}
template <class T, class... Rest>
__device__ inline void reduce_add(T *cell, T value, T *second, Rest... rest) {
  atomicAdd(cell, value);
  reduce_add(second, rest...);
}
template <class T>
__device__ inline void add_beside(T *cell, T value) {
  atomicAdd(cell, value);
}
template <class T, class... Rest>
__device__ inline void add_beside(T *cell, T value, T *second, Rest... rest) {
  atomicAdd(cell, value);
  add_beside(second, rest...);
}
template <class T, class... Rest>
__device__ inline void meeting_add(T *cell, T value, T *second, Rest... rest) {
  add_beside(cell, value, second, rest...);
}
template <class T>
__device__ inline void add_at_once(T *cell, T value) {
  atomicAdd(cell, value);
}
template <class T>
__device__ inline T block_sum(T value) {
  __shared__ T sum;
  if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) sum = T(0);
  __syncthreads();
  atomicAdd(&sum, value);
  __syncthreads();
  const T found = sum;
  __syncthreads();
  return found;
}
template <class T>
__device__ inline void shared_add(T *cell, T value) {
  atomicAdd(cell, value);
}
template <class T>
__device__ inline void block_add(T *cell, T value) {
  atomicAdd(cell, value);
}
template <int place, class T>
__device__ inline void block_add(T *cell, T value) {
  atomicAdd(cell, value);
}
template <int place, class T>
__device__ inline void grid_add(T *cell, T value) {
  atomicAdd(cell, value);
}
template <int place, class T>
__device__ inline void grid_reduce(T *cell, T value) {
  atomicAdd(cell, value);
}
// Sums of a block's own, that are added to the elements in the end.
class staging {
 public:
  __device__ staging(unsigned char *, const launch_state &) {}
};
template <class T, bool Lanes = false>
class staged {
 public:
  __device__ staged(staging &, T *adjoint, unsigned long long) : adjoint_(adjoint) {}
  template <class I>
  __device__ void add(I index, T value) const {
    atomicAdd(&adjoint_[index], value);
  }
  template <class I>
  __device__ void reduce_add(I index, T value) const {
    atomicAdd(&adjoint_[index], value);
  }
  template <class I>
  __device__ T *cell(I index) const {
    return &adjoint_[index];
  }
  template <class I>
  __device__ static void reduce_add_both(I index, const staged &a, T value, const staged &b, T other) {
    a.add(index, value);
    b.add(index, other);
  }
  __device__ void add_up() const {}

 private:
  T *adjoint_;
};
__device__ inline void wait_for_stages() {}
template <class... More>
__host__ __device__ inline unsigned long long extent_of(long first, More... more) {
  return 0;
}
__host__ __device__ inline unsigned long long staging_bytes(unsigned long long count, unsigned long long size,
                                                            unsigned long long copies = 1) {
  return count * copies * size;
}

template <class T, int count>
__device__ inline void add_each(T *cell, const T (&row)[count]) {
  for (int i = 0; i < count; ++i) atomicAdd(cell + i, row[i]);
}
template <class T, int count>
__device__ inline void add_row(T *cell, const T (&row)[count]) {
  add_each(cell, row);
}
template <class T, int count>
__device__ inline void add_row_along(T *cell, const T (&row)[count]) {
  add_each(cell, row);
}
template <class T>
__device__ inline T *row_of_sums(T *, T *, long) {
  return nullptr;
}
template <class T>
__device__ inline void clear_shared(T *memory, unsigned length) {
  const unsigned step = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); i < length; i += step) memory[i] = T(0);
}


// Of sums by halves each element gets what the one has that it was added to, which has got its own before: one thread does
// it for all.
template <class T>
__device__ inline void halved_sum_pullback(T *d, long long most) {
  if ((threadIdx.x | threadIdx.y | threadIdx.z) != 0) return;
  const unsigned half = static_cast<unsigned>(most);
  for (unsigned k = 1; k < 2 * half; ++k) {
    unsigned step = half;
    while (step > k) step /= 2;
    if (k < 2 * step && k - step < blockDim.x) d[k] += d[k - step];
  }
}
template <class T>
__device__ inline void first_of_halved_sum_pullback(T *d, long long most) {
  halved_sum_pullback(d, most);
}

}  // namespace cladpy
