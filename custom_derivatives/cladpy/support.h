// What emitted gradients are made of besides the language: arithmetic, accumulation, the tape, launch state.
// On the host backend <cladpy/host.h> comes first.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include <cladpy/arithmetic.h>
#include <cladpy/checkpoints.h>
#include <cladpy/host_code.h>
#include <cladpy/members.h>
#include <cladpy/warp.h>

#if defined(__HIP__) && !defined(CLADPY_HOST_H)
#include <cladpy/hip/cuda.h>
#endif

// Before a loop whose arrays are to be registers.
#if defined(CLADPY_HOST_FIBERS)
#define CLADPY_UNROLL
#elif defined(CLADPY_HOST_H) && !defined(__clang__)
#define CLADPY_UNROLL _Pragma("GCC unroll 32")
#else
#define CLADPY_UNROLL _Pragma("unroll")
#endif

namespace cladpy {

// Whether a number is none, for compilers too that are told there is no such thing.
__host__ __device__ inline bool is_nan(float x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & 0x7fffffffu) > 0x7f800000u;
}
__host__ __device__ inline bool is_nan(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
}

// ---- memory ------------------------------------------------------------------------------------------------------------

// The threads of a block zero an array of theirs; a barrier has to follow.
template <class T>
__device__ inline void clear_shared(T *memory, unsigned length) {
  const unsigned step = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); i < length; i += step) memory[i] = T(0);
}

// Memory that uses every `step`-th of its elements.
template <class T, unsigned step>
struct spread {
  T *memory;
  template <class I>
  __device__ T &operator[](I i) const { return memory[static_cast<long>(step) * static_cast<long>(i)]; }
};

// An object that is made for a call number by number, whatever constructors its class has. It is zero at first.
template <class T>
union blank {
  __host__ __device__ blank() : bytes{} {}
  __host__ __device__ ~blank() {}
  __host__ __device__ T &operator*() { return object; }
  __host__ __device__ const T &operator*() const { return object; }
  __host__ __device__ T *operator->() { return &object; }

  T object;
  unsigned char bytes[sizeof(T)];
};

// The adjoint of `count` objects at namespace scope, zero at first whatever constructors their class has.
template <class T, unsigned long count>
struct zeros {
  __host__ __device__ T &operator[](unsigned long i) { return reinterpret_cast<T *>(bytes)[i]; }
  __host__ __device__ T *operator->() { return reinterpret_cast<T *>(bytes); }

  alignas(T) unsigned char bytes[sizeof(T) * count];
};

// ---- accumulation -----------------------------------------------------------------------------------------------------

#if defined(__HIP__) && !defined(CLADPY_HOST_H) && !defined(CLADPY_SAFE_ATOMICS)
// The instructions that some devices have for it, which lose what is added to memory that is shared with the host.
__device__ inline void add_any(double *cell, double value) { unsafeAtomicAdd(cell, value); }
__device__ inline void add_any(float *cell, float value) { unsafeAtomicAdd(cell, value); }
#else
__device__ inline void add_any(double *cell, double value) { atomicAdd(cell, value); }
__device__ inline void add_any(float *cell, float value) { atomicAdd(cell, value); }
#endif
// Adjoints of what nobody asked for are zero: a comparison takes less than an atomic addition. `add_any` is for sums that
// are known not to be.
#if defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H)
__device__ inline void atomic_add(double *cell, double value) {
  if (value != 0.0) add_any(cell, value);
}
__device__ inline void atomic_add(float *cell, float value) {
  if (value != 0.0f) add_any(cell, value);
}
#else
__device__ inline void atomic_add(double *cell, double value) { add_any(cell, value); }
__device__ inline void atomic_add(float *cell, float value) { add_any(cell, value); }
#endif
__device__ inline void atomic_add(int *cell, int value) { atomicAdd(cell, value); }
__device__ inline void atomic_add(unsigned int *cell, unsigned int value) { atomicAdd(cell, value); }
__device__ inline void atomic_add(unsigned long long *cell, unsigned long long value) { atomicAdd(cell, value); }
__device__ inline void atomic_add(long long *cell, long long value) {
  atomicAdd(reinterpret_cast<unsigned long long *>(cell), static_cast<unsigned long long>(value));
}
__device__ inline void atomic_add(unsigned long *cell, unsigned long value) {
  atomicAdd(reinterpret_cast<unsigned long long *>(cell), static_cast<unsigned long long>(value));
}
__device__ inline void atomic_add(long *cell, long value) {
  atomicAdd(reinterpret_cast<unsigned long long *>(cell), static_cast<unsigned long long>(value));
}

template <class T, class V>
__device__ inline void add_any(T *cell, V value) {
  atomic_add(cell, value);
}

// The content, replaced by zero: one of several threads that stored to the element takes its adjoint.
__device__ inline double exchange(double *cell) {
  const unsigned long long bits = atomicExch(reinterpret_cast<unsigned long long *>(cell), 0ULL);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
__device__ inline float exchange(float *cell) { return atomicExch(cell, 0.0f); }
__device__ inline int exchange(int *cell) { return atomicExch(cell, 0); }
__device__ inline unsigned int exchange(unsigned int *cell) { return atomicExch(cell, 0u); }
__device__ inline unsigned long long exchange(unsigned long long *cell) { return atomicExch(cell, 0ULL); }
__device__ inline long long exchange(long long *cell) {
  return static_cast<long long>(atomicExch(reinterpret_cast<unsigned long long *>(cell), 0ULL));
}
__device__ inline unsigned long exchange(unsigned long *cell) {
  return static_cast<unsigned long>(atomicExch(reinterpret_cast<unsigned long long *>(cell), 0ULL));
}
__device__ inline long exchange(long *cell) {
  return static_cast<long>(atomicExch(reinterpret_cast<unsigned long long *>(cell), 0ULL));
}

// Whether a warp is here as a whole, and all of its threads mean one element. Threads of a warp may also arrive in different
// iterations of a loop, with different elements.
template <class T>
__device__ inline bool is_one_for_warp([[maybe_unused]] T *cell) {
  int same = 0;
#if defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H)
  if (__activemask() == 0xffffffffu) {
    __match_all_sync(0xffffffffu, reinterpret_cast<unsigned long long>(cell), &same);
  }
#endif
  return same;
}

// The sum over such a warp, given to the first of its threads: whether this thread has something to add. Others add each
// their own.
template <class T>
__device__ inline bool warp_sum([[maybe_unused]] T *cell, [[maybe_unused]] T &value) {
#if defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H)
  if (is_one_for_warp(cell)) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return thread_in_block() % 32 == 0;
  }
#endif
  return true;
}

// Whether sums over threads are those of a worker's piece of the launch: on the host, where blocks run on all cores.
#if defined(CLADPY_HOST_H) && !defined(CLADPY_HOST_FIBERS)
#define CLADPY_SUMS_BY_WORKERS
#endif

// Adds values to an element that is the same for all threads that are here at a time. An element that nobody added to
// may lie outside of its array.
#ifdef CLADPY_SUMS_BY_WORKERS
inline void reduce_add(double *cell, double value) { host::add_to_sum(cell, value); }
inline void reduce_add(float *cell, float value) { host::add_to_sum(cell, value); }
#endif
template <class T>
__device__ inline void reduce_add(T *cell, T value) {
  if (warp_sum(cell, value) && value != T(0)) add_any(cell, value);
}

// Where lanes of a warp that come to one element add up first: on a GPU, and in the tests.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700 && !defined(CLADPY_HOST_H)
#define CLADPY_MEETINGS_BY_WARPS
#endif

// Lanes of a warp that come to one place, which data has chosen, add up what they have; whether this one has their sum.
// Where the first of the lanes that are here together is alone with its place, it is taken that the others are, too. Else of
// the numbers of lanes neighbours are added, then those two apart, and so on.
template <class T, int count>
__device__ inline bool sum_of_met([[maybe_unused]] T *cell, [[maybe_unused]] T (&values)[count]) {
#ifdef CLADPY_MEETINGS_BY_WARPS
  const unsigned here = __activemask();
  const unsigned long long place = reinterpret_cast<unsigned long long>(cell);
  const unsigned with_first =
      __ballot_sync(here, place == __shfl_sync(here, place, __ffs(static_cast<int>(here)) - 1));
  if (with_first & (with_first - 1)) {
    const unsigned lane = lane_in_warp();
    const unsigned met = with_first == here ? here : __match_any_sync(here, place);
    const unsigned before = met & ((1u << lane) - 1);
    unsigned rest = met & ~before & ~(1u << lane);
    for (unsigned turn = __popc(before); __any_sync(here, rest != 0); turn /= 2) {
      const int from = rest ? __ffs(static_cast<int>(rest)) - 1 : static_cast<int>(lane);
      CLADPY_UNROLL
      for (int i = 0; i < count; ++i) {
        const T other = __shfl_sync(here, values[i], from);
        if (rest) values[i] += other;
      }
      rest &= __ballot_sync(here, turn % 2 == 0);
    }
    return !before;
  }
#endif
  return true;
}

// Adds to an element that data has chosen.
template <class T>
__device__ inline void meeting_add(T *cell, T value) {
  T values[1] = {value};
  if (sum_of_met(cell, values)) atomic_add(cell, values[0]);
}

// Adds to elements of which each is, as a rule, the one behind that before: at once where the device can and the first is
// where its vectors may begin.
template <int count>
__device__ inline void add_vector(float *const (&cells)[count], const float (&values)[count]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(CLADPY_HOST_H) && \
    __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1201
  static_assert(count == 2 || count == 4, "there are instructions for two and four");
  bool at_once = reinterpret_cast<unsigned long long>(cells[0]) % (count * sizeof(float)) == 0 && __isGlobal(cells[0]);
  bool some = values[0] != 0.0f;
  CLADPY_UNROLL
  for (int i = 1; i < count; ++i) {
    at_once = at_once && cells[i] == cells[0] + i;
    some = some || values[i] != 0.0f;
  }
  if (at_once) {
    if (!some) return;
    const auto place = __cvta_generic_to_global(cells[0]);
    if constexpr (count == 2)
      asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(place), "f"(values[0]), "f"(values[1]) : "memory");
    else
      asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(place), "f"(values[0]), "f"(values[1]),
                   "f"(values[count - 2]), "f"(values[count - 1]) : "memory");
    return;
  }
#endif
  CLADPY_UNROLL
  for (int i = 0; i < count; ++i) atomic_add(cells[i], values[i]);
}

// Cells and what is added to them, given in turns: a cell, its value, the next cell, and so on.
template <class T, int count>
struct cells_in_turns {
  T *cells[count];
  T values[count];

  template <class... Given>
  __device__ explicit cells_in_turns(Given... given) {
    place<0>(given...);
  }

 private:
  template <int i>
  __device__ void place() {}
  template <int i, class V, class... Rest>
  __device__ void place(T *cell, V value, Rest... rest) {
    cells[i] = cell;
    values[i] = value;
    place<i + 1>(rest...);
  }
};
template <class... Rest>
__device__ inline void add_beside(float *cell, float value, float *second, Rest... rest) {
  const cells_in_turns<float, 1 + (1 + sizeof...(rest)) / 2> all(cell, value, second, rest...);
  add_vector(all.cells, all.values);
}
// To elements that the kernel only adds to, on workers: each may have sums of its own. In emitted host code.
template <class T, class V, class... Rest>
__device__ inline void scatter_add(T *cell, V value, Rest... rest) {
  const cells_in_turns<T, 1 + sizeof...(rest) / 2> all(cell, value, rest...);
#ifdef CLADPY_SUMS_BY_WORKERS
  host::add_scattered(all.cells, all.values);
#else
  CLADPY_UNROLL
  for (int i = 0; i < 1 + static_cast<int>(sizeof...(rest)) / 2; ++i) atomic_add(all.cells[i], all.values[i]);
#endif
}
// The same at a place that data has chosen.
template <class... Rest>
__device__ inline void meeting_add(float *cell, float value, float *second, Rest... rest) {
  cells_in_turns<float, 1 + (1 + sizeof...(rest)) / 2> all(cell, value, second, rest...);
  if (sum_of_met(cell, all.values)) add_vector(all.cells, all.values);
}

// Where a worker makes its sums of so many elements, as far apart as the first two, to each of which a thread of the kernel
// comes once: a sum for each, or null where they are to be added one by one. In emitted host code.
template <class T>
inline T *row_of_sums([[maybe_unused]] T *first, [[maybe_unused]] T *second, [[maybe_unused]] long count) {
#ifdef CLADPY_SUMS_BY_WORKERS
  return host::row_of_sums(first, second, count);
#else
  return nullptr;
#endif
}

// Before a loop whose turns have nothing to do with each other, but for sums in variables: over workers such loops are of
// vectors, where the compiler is told to look at the directive; elsewhere what they add to memory is atomic.
#if defined(CLADPY_SUMS_BY_WORKERS) && (defined(CLADPY_HOST_ONE_UNIT) || defined(_OPENMP))
#define CLADPY_PRAGMA(text) _Pragma(#text)
#define CLADPY_APART CLADPY_PRAGMA(omp simd)
#define CLADPY_SUMS(...) CLADPY_PRAGMA(omp simd reduction(+ : __VA_ARGS__))
#else
#define CLADPY_APART
#define CLADPY_SUMS(...)
#endif

// Adds to an element that the same kernel reads: at once. In emitted host code.
template <class T>
__device__ inline void add_at_once(T *cell, T value) {
  if (value != T(0)) add_any(cell, value);
}

// Adds to an element of shared memory, in emitted host code: over workers nobody else runs who could add to it.
template <class T>
__device__ inline void shared_add(T *cell, T value) {
#ifdef CLADPY_SUMS_BY_WORKERS
  if constexpr (std::is_arithmetic<T>::value)
    *cell += value;
  else
#endif
    atomic_add(cell, value);
}

// Adds the elements of a row to those from a cell on. What nobody added to may lie outside of its array.
template <class T, int count>
__device__ inline void add_each(T *cell, const T (&row)[count]) {
  CLADPY_UNROLL
  for (int i = 0; i < count; ++i) {
    if (row[i] != T(0)) add_any(cell + i, row[i]);
  }
}

// Where lanes add rows together: on a GPU, and in the tests.
#if defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H)
#define CLADPY_ROWS_BY_WARPS
#endif

#ifdef CLADPY_ROWS_BY_WARPS
// Of the elements that a lane holds it gives one half away, and adds what it gets to the other; and so on, down to one.
template <int width, int half>
struct folding {
  template <class T>
  static __device__ __forceinline__ void run(T (&held)[width], unsigned lane) {
    constexpr unsigned bit = half * (32 / width);
    const bool upper = (lane & bit) != 0;
    CLADPY_UNROLL
    for (int i = 0; i < half; ++i) {
      const T given = upper ? held[i] : held[i + half];
      held[i] = (upper ? held[i + half] : held[i]) + __shfl_xor_sync(0xffffffffu, given, bit);
    }
    folding<width, half / 2>::run(held, lane);
  }
};
template <int width>
struct folding<width, 0> {
  template <class T>
  static __device__ __forceinline__ void run(T (&)[width], unsigned) {}
};

// The sums over a warp of at most 32 elements of its rows, from `first` on: each lane, or the first of several, adds one.
template <int first, int left>
struct folded {
  template <class T, int count>
  static __device__ __forceinline__ void add(T *cell, const T (&row)[count]) {
    constexpr int length = left < 32 ? left : 32;
    constexpr int width = length > 16 ? 32 : length > 8 ? 16 : length > 4 ? 8 : length > 2 ? 4 : 2;
    const unsigned lane = lane_in_warp();
    T held[width];
    CLADPY_UNROLL
    for (int i = 0; i < width; ++i) held[i] = i < length ? row[first + (i < length ? i : 0)] : T(0);
    folding<width, width / 2>::run(held, lane);
    CLADPY_UNROLL
    for (int bit = 16 / width; bit > 0; bit /= 2) held[0] += __shfl_xor_sync(0xffffffffu, held[0], bit);
    const int own = static_cast<int>(lane) / (32 / width);
    if (lane % (32 / width) == 0 && own < length && held[0] != T(0)) add_any(cell + first + own, held[0]);
    folded<first + length, left - length>::add(cell, row);
  }
};
template <int first>
struct folded<first, 0> {
  template <class T, int count>
  static __device__ __forceinline__ void add(T *, const T (&)[count]) {}
};
#endif

// Adds to elements that are the same for all threads that are here at a time if the first of them is: where a warp is here as a
// whole, its lanes fold what they have onto each other, and each of the first adds up one sum.
template <class T, int count>
__device__ inline void add_sums(T *const (&cells)[count], const T (&values)[count]) {
#ifdef CLADPY_ROWS_BY_WARPS
  static_assert(count <= 32, "a lane has one sum");
  if (is_one_for_warp(cells[0])) {
    constexpr int width = count > 16 ? 32 : count > 8 ? 16 : count > 4 ? 8 : count > 2 ? 4 : 2;
    const unsigned lane = lane_in_warp();
    T held[width];
    CLADPY_UNROLL
    for (int i = 0; i < width; ++i) held[i] = i < count ? values[i < count ? i : 0] : T(0);
    folding<width, width / 2>::run(held, lane);
    CLADPY_UNROLL
    for (int bit = 16 / width; bit > 0; bit /= 2) held[0] += __shfl_xor_sync(0xffffffffu, held[0], bit);
    const int own = static_cast<int>(lane) / (32 / width);
    T *cell = cells[0];
    CLADPY_UNROLL
    for (int i = 1; i < count; ++i) cell = own == i ? cells[i] : cell;
    if (lane % (32 / width) == 0 && own < count && held[0] != T(0)) add_any(cell, held[0]);
    return;
  }
#endif
  CLADPY_UNROLL
  for (int i = 0; i < count; ++i) {
#ifdef CLADPY_SUMS_BY_WORKERS
    reduce_add(cells[i], values[i]);
#else
    if (values[i] != T(0)) add_any(cells[i], values[i]);
#endif
  }
}
template <class T, class... Rest>
__device__ inline void reduce_add(T *cell, T value, T *second, Rest... rest) {
  const cells_in_turns<T, 1 + (1 + sizeof...(rest)) / 2> all(cell, value, second, rest...);
  add_sums(all.cells, all.values);
}

// The same where the cell is the same for all lanes that are here at a time.
template <class T, int count>
__device__ inline void add_row(T *cell, const T (&row)[count]) {
#ifdef CLADPY_ROWS_BY_WARPS
  if (__activemask() == 0xffffffffu) {
    int same = 0;
    __match_all_sync(0xffffffffu, reinterpret_cast<unsigned long long>(cell), &same);
    if (same) return folded<0, count>::add(cell, row);
  }
#endif
#ifdef CLADPY_SUMS_BY_WORKERS
  host::add_row_to_sums(cell, row);
#else
  add_each(cell, row);
#endif
}

// The same where the cell of each lane is one behind that of the lane before: a lane adds what all lanes have for its
// cell; what the last ones have for cells behind those is added by the first ones.
template <class T, int count>
__device__ inline void add_row_along(T *cell, const T (&row)[count]) {
#ifdef CLADPY_ROWS_BY_WARPS
  if (__activemask() == 0xffffffffu) {
    const int lane = static_cast<int>(lane_in_warp());
    int same = 0;
    __match_all_sync(0xffffffffu, reinterpret_cast<unsigned long long>(cell - lane), &same);
    if (same) {
      T sum = row[0], behind = T(0);
      CLADPY_UNROLL
      for (int i = 1; i < count; ++i) {
        const T other = __shfl_sync(0xffffffffu, row[i], (lane - i) & 31);
        if (lane >= i) sum += other;
        else behind += other;
      }
      if (sum != T(0)) add_any(cell, sum);
      if (lane < count - 1 && behind != T(0)) add_any(cell + 32, behind);
      return;
    }
  }
#endif
#ifdef CLADPY_SUMS_BY_WORKERS
  if constexpr (std::is_floating_point<T>::value) return host::add_row_to_lines(cell, row);
#endif
  add_each(cell, row);
}

// The sum over the threads of the block, which are all here: over each warp, then over the warps.
template <class T>
__device__ inline T block_sum(T value) {
  __shared__ T sums[32];
  const unsigned warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
  const unsigned thread = thread_in_block(), lane = thread % 32, lanes = lanes_of_warp(), mask = first_lanes(lanes);
  for (unsigned step = 16; step > 0; step /= 2) {
    const T other = __shfl_down_sync(mask, value, step);
    if (lane + step < lanes) value += other;
  }
  if (lane == 0) sums[thread / 32] = value;
  __syncthreads();
  T sum = T(0);
  if (lanes == 32) {
    if (lane < warps) sum = sums[lane];
    for (int bits = 16; bits > 0; bits /= 2) sum += __shfl_xor_sync(mask, sum, bits);
  } else {
    for (unsigned warp = 0; warp < warps; ++warp) sum += sums[warp];
  }
  __syncthreads();
  return sum;
}

// Adds values to an element that is the same for all threads of the block, which are all here. An element that nobody
// added to may lie outside of its array.
template <class T>
__device__ inline void block_add(T *cell, T value) {
#ifdef CLADPY_SUMS_BY_WORKERS
  reduce_add(cell, value);
#else
  const T sum = block_sum(value);
  if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0 && sum != T(0)) add_any(cell, sum);
#endif
}

// The same where each thread comes once, and in emitted host code: the number is that of the place. Over workers, what the
// threads of a block add is kept apart, so that a loop over them can be one of vectors; `grid_add` is for an element that is
// the same for all blocks, and `grid_reduce` for one where not all threads need be here, each as often as it comes.
template <int place, class T>
__device__ inline void block_add(T *cell, T value) {
#ifdef CLADPY_SUMS_BY_WORKERS
  host::add_to_lanes<place, true>(cell, value);
#else
  block_add(cell, value);
#endif
}
template <int place, class T>
__device__ inline void grid_add(T *cell, T value) {
#ifdef CLADPY_SUMS_BY_WORKERS
  host::add_to_lanes<place, false>(cell, value);
#else
  block_add(cell, value);
#endif
}
template <int place, class T>
__device__ inline void grid_reduce(T *cell, T value) {
#ifdef CLADPY_SUMS_BY_WORKERS
  host::add_to_lanes<place, false>(cell, value);
#else
  reduce_add(cell, value);
#endif
}

#ifdef CLADPY_CHECK_RACES
// The forms that plain accesses take when races are looked for.
template <class T>
inline void plain_add(T *cell, T value) {
  host::note_write(cell, sizeof *cell);
  *cell += value;
}
template <class T>
inline void plain_set(T *cell, T value) {
  host::note_write(cell, sizeof *cell);
  *cell = value;
}
template <class T>
inline T plain_take(T *cell, bool zero) {
  zero ? host::note_write(cell, sizeof *cell) : host::note_read(cell, sizeof *cell);
  const T value = *cell;
  if (zero) *cell = T(0);
  return value;
}
template <class T>
inline T plain_read(const T *cell) {
  host::note_read(cell, sizeof *cell);
  return *cell;
}
#endif

// ---- the tape ---------------------------------------------------------------------------------------------------------
// A stack per thread: a loop pushes a frame per iteration, its reverse pops them. A slot is eight bytes.

template <class T>
__host__ __device__ inline unsigned long long to_slot(T value) {
  static_assert(sizeof(T) <= sizeof(unsigned long long), "a slot holds one scalar");
  unsigned long long slot = 0;
  memcpy(&slot, &value, sizeof value);
  return slot;
}

template <class T>
__host__ __device__ inline T from_slot(unsigned long long slot) {
  T value;
  memcpy(static_cast<void *>(&value), &slot, sizeof value);
  return value;
}

// In local memory, where the number of slots is known and small.
template <int Slots>
class local_tape {
 public:
  template <class T>
  __host__ __device__ void push(T value) {
    slots_[top_++] = to_slot(value);
  }
  template <class T>
  __host__ __device__ T pop() {
    return from_slot<T>(slots_[--top_]);
  }
  __host__ __device__ bool empty() const { return top_ == 0; }

 private:
  unsigned long long slots_[Slots];
  int top_ = 0;
};

// What a gradient kernel gets from its launch function where it needs a workspace: the grid that the caller asked for,
// which fewer physical blocks run one logical block after the other, and memory for the tapes.
struct launch_state {
  dim3 grid;
  unsigned long long *workspace;
  unsigned long long blocks;  // logical
  unsigned long long slots;   // of a thread
  unsigned staging_at = 0;    // bytes of the shared memory that the launch gives, before those
  unsigned staging = 0;       // which are for sums of the block's own
  bool of_warps = false;      // whether each warp has its own of those that its lanes can divide among themselves
};

// In the workspace, slot-major: neighbouring threads touch neighbouring addresses. A slot may be narrower where nothing
// that is kept takes eight bytes.
template <class Slot>
class tape_of_slots {
 public:
  // From the end, where two share the workspace.
  __device__ explicit tape_of_slots(const launch_state &state, bool from_end = false) {
    const unsigned long long threads = 1ULL * blockDim.x * blockDim.y * blockDim.z;
    const unsigned long long thread = threadIdx.x + 1ULL * blockDim.x * (threadIdx.y + 1ULL * blockDim.y * threadIdx.z);
    const unsigned long long block = blockIdx.x + 1ULL * gridDim.x * (blockIdx.y + 1ULL * gridDim.y * blockIdx.z);
    stride_ = static_cast<long long>(threads * gridDim.x * gridDim.y * gridDim.z);
    next_ = reinterpret_cast<Slot *>(state.workspace) + block * threads + thread;
    if (from_end) {
      next_ += stride_ * (static_cast<long long>(state.slots) - 1);
      stride_ = -stride_;
    }
    first_ = next_;
  }
  template <class T>
  __device__ void push(T value) {
    static_assert(sizeof(T) <= sizeof(Slot), "a slot holds one scalar");
    *next_ = static_cast<Slot>(to_slot(value));
    next_ += stride_;
  }
  template <class T>
  __device__ T pop() {
    static_assert(sizeof(T) <= sizeof(Slot), "a slot holds one scalar");
    next_ -= stride_;
    announce();
    return from_slot<T>(*next_);
  }
  // Of a slot that is used only where `kept` holds: no memory is touched elsewhere, and what is there is taken to be zero.
  template <class T>
  __device__ void push_if(bool kept, T value) {
    static_assert(sizeof(T) <= sizeof(Slot), "a slot holds one scalar");
    if (kept) *next_ = static_cast<Slot>(to_slot(value));
    next_ += stride_;
  }
  template <class T>
  __device__ T pop_if(bool kept) {
    static_assert(sizeof(T) <= sizeof(Slot), "a slot holds one scalar");
    next_ -= stride_;
    return from_slot<T>(kept ? *next_ : Slot(0));
  }
  // What has been fetched, and fetches the slot below where that is popped next and has been used.
  template <class T>
  __device__ T pop_if(bool kept, bool soon) {
    static_assert(sizeof(T) <= sizeof(Slot), "a slot holds one scalar");
    next_ -= stride_;
    const Slot value = ahead_;
    fetch(soon);
    return from_slot<T>(kept ? value : Slot(0));
  }
  // The slot on top.
  __device__ void fetch(bool soon) {
    if (soon) ahead_ = *(next_ - stride_);
  }
  // A slot, counted from the top.
  __device__ Slot &slot(unsigned long long below) {
    return *(next_ - stride_ * (static_cast<long long>(below) + 1));
  }

 private:
  // Asks for a slot that will be popped soon. Not where slots are popped by a condition: there it was seen to take longer.
  __device__ void announce() const {
#if defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H)
    const Slot *soon = next_ - 4 * stride_;
    if (stride_ > 0 ? soon >= first_ : soon <= first_) asm volatile("prefetch.global.L2 [%0];" ::"l"(soon));
#endif
  }
  Slot *next_, *first_;
  long long stride_;
  Slot ahead_ = 0;  // what the slot on top holds, where that has been fetched
};
using workspace_tape = tape_of_slots<unsigned long long>;
using narrow_workspace_tape = tape_of_slots<unsigned>;

// One that stops the kernel where more is kept than was counted.
class guarded_tape : public workspace_tape {
 public:
  __device__ explicit guarded_tape(const launch_state &state) : workspace_tape(state), left_(state.slots) {}
  template <class T>
  __device__ void push(T value) {
    if (left_-- == 0) __trap();
    workspace_tape::push(value);
  }
  template <class T>
  __device__ T pop() {
    ++left_;
    return workspace_tape::pop<T>();
  }
  template <class T>
  __device__ void push_if(bool kept, T value) {
    if (left_-- == 0) __trap();
    workspace_tape::push_if(kept, value);
  }
  template <class T>
  __device__ T pop_if(bool kept) {
    ++left_;
    return workspace_tape::pop_if<T>(kept);
  }
  template <class T>
  __device__ T pop_if(bool kept, bool soon) {
    ++left_;
    return workspace_tape::pop_if<T>(kept, soon);
  }

 private:
  unsigned long long left_;
};

// Before a function of both sides that calls what its class is made with, which is of one.
#if defined(__NVCC__) && !defined(CLADPY_HOST_H)
#define CLADPY_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define CLADPY_EITHER_SIDE
#endif

// The old contents of what functions store to, newest last, in a stack: three slots each. A function that logs its stores
// ends with how many entries are its own, by which its call is undone.
template <class Stack>
class store_log {
 public:
  CLADPY_EITHER_SIDE
  template <class... State>
  __host__ __device__ explicit store_log(const State &...state) : entries_(state...) {}
  template <class T>
  __host__ __device__ void save(T *cell) {
    add(to_slot(*cell), reinterpret_cast<unsigned long long>(cell), sizeof(T));
  }
  __host__ __device__ unsigned long long open() const { return count_; }
  __host__ __device__ void close(unsigned long long start) { add(count_ - start, 0, 0); }
  // What was logged since there were `start` entries.
  __host__ __device__ void undo(unsigned long long start) {
    while (count_ != start) {
      const entry last = take();
      if (last.size == 8) {
        put<8>(last);
      } else if (last.size == 4) {
        put<4>(last);
      } else if (last.size == 2) {
        put<2>(last);
      } else if (last.size == 1) {
        put<1>(last);
      }
    }
  }
  // The last call that was closed and has not been undone.
  __host__ __device__ void undo() {
    const unsigned long long own = take().old;
    undo(count_ - own);
  }
  // That call needs no undoing: it wrote to what was made for it only.
  __host__ __device__ void drop() {
    for (unsigned long long own = take().old; own; --own) take();
  }
  // What that call wrote to an object that is about to go.
  CLADPY_EITHER_SIDE
  template <class T>
  __host__ __device__ void forget(const T *object) {
    const unsigned long long first = reinterpret_cast<unsigned long long>(object);
    const unsigned long long own = entries_.slot(2);
    for (unsigned long long i = 1; i <= own; ++i) {
      if (entries_.slot(3 * i + 1) - first < sizeof(T)) entries_.slot(3 * i) = 0;
    }
  }

 private:
  struct entry {
    unsigned long long old, cell, size;
  };
  CLADPY_EITHER_SIDE
  __host__ __device__ void add(unsigned long long old, unsigned long long cell, unsigned long long size) {
    entries_.push(old);
    entries_.push(cell);
    entries_.push(size);
    ++count_;
  }
  CLADPY_EITHER_SIDE
  __host__ __device__ entry take() {
    entry last;
    last.size = entries_.template pop<unsigned long long>();
    last.cell = entries_.template pop<unsigned long long>();
    last.old = entries_.template pop<unsigned long long>();
    --count_;
    return last;
  }
  template <int Size>
  __host__ __device__ static void put(const entry &last) {
    memcpy(__builtin_assume_aligned(reinterpret_cast<void *>(last.cell), Size), &last.old, Size);
  }

  Stack entries_;
  unsigned long long count_ = 0;
};

// The tape of a kernel that calls functions which log their stores: the log grows from the other end of the workspace.
class logging_tape : public guarded_tape {
 public:
  __device__ explicit logging_tape(const launch_state &state) : guarded_tape(state), log_(state, true) {}
  template <class T>
  __device__ bool save(T *cell) {
    log_.save(cell);
    return true;
  }
  __device__ unsigned long long open() const { return log_.open(); }
  __device__ void close(unsigned long long start) { log_.close(start); }
  __device__ void undo() { log_.undo(); }
  __device__ void drop() { log_.drop(); }
  template <class T>
  __device__ void forget(const T *object) {
    log_.forget(object);
  }
  __device__ bool full() const { return false; }
  __device__ void reserve(long long) {}

 private:
  store_log<workspace_tape> log_;
};

// What a counting launch stores to, and how much its calls need.
class undo_log {
 public:
  // Where a thread's slots do not hold everything, what it did is undone and `full` set.
  __device__ undo_log(const launch_state &state, unsigned long long *full)
      : log_(state), room_(state.slots / 3), full_(full) {}
  template <class T>
  __device__ bool save(T *cell) {
    if (has_room()) log_.save(cell);
    return !gave_up_;
  }
  __device__ unsigned long long open() const { return log_.open(); }
  __device__ void close(unsigned long long start) {
    if (has_room()) log_.close(start);
  }
  __device__ void drop() { log_.drop(); }
  template <class T>
  __device__ void forget(const T *object) {
    log_.forget(object);
  }
  __device__ bool full() const { return gave_up_; }
  __device__ void reserve(long long slots) { reserved_ += static_cast<unsigned long long>(slots); }
  __device__ unsigned long long needed() const { return 3 * most_ + reserved_; }
  __device__ void undo() { log_.undo(0); }

 private:
  __device__ bool has_room() {
    if (log_.open() == room_) {
      undo();
      *full_ = 1;
      gave_up_ = true;
    } else if (log_.open() == most_) {
      ++most_;
    }
    return !gave_up_;
  }

  store_log<workspace_tape> log_;
  unsigned long long room_;
  unsigned long long *full_;
  unsigned long long most_ = 0;  // entries at a time
  unsigned long long reserved_ = 0;
  bool gave_up_ = false;
};

#ifndef __CUDACC_RTC__  // which has no heap of the host's
// On the host they grow as they are pushed to.
class growing_stack {
 public:
  growing_stack() {}  // the host's alone: a default one would be of both sides, which a vector's is not
  template <class T>
  void push(T value) {
    slots_.push_back(to_slot(value));
  }
  template <class T>
  T pop() {
    const T value = from_slot<T>(slots_.back());
    slots_.pop_back();
    return value;
  }
  // As of a tape in a workspace. What was passed over is no number, should it be asked for all the same.
  template <class T>
  void push_if(bool kept, T value) {
    slots_.push_back(kept ? to_slot(value) : ~0ULL);
  }
  template <class T>
  T pop_if(bool kept) {
    const T value = pop<T>();
    return kept ? value : from_slot<T>(0);
  }
  template <class T>
  T pop_if(bool kept, bool) {
    return pop_if<T>(kept);
  }
  void fetch(bool) {}
  unsigned long long &slot(unsigned long long below) { return slots_[slots_.size() - 1 - below]; }
  bool empty() const { return slots_.empty(); }
  // Room for the rows of a loop's iterations, which others fill; and those of the last loop that has some.
  unsigned long long *extend(size_t count) {
    rows_.emplace_back(new unsigned long long[count]);
    return rows_.back().get();
  }
  std::unique_ptr<unsigned long long[]> shorten() {
    std::unique_ptr<unsigned long long[]> last = static_cast<std::unique_ptr<unsigned long long[]> &&>(rows_.back());
    rows_.pop_back();
    return last;
  }

 private:
  std::vector<unsigned long long> slots_;
  std::vector<std::unique_ptr<unsigned long long[]>> rows_;
};

class growing_tape : public growing_stack {
 public:
  template <class T>
  bool save(T *cell) {
    log_.save(cell);
    return true;
  }
  unsigned long long open() const { return log_.open(); }
  void close(unsigned long long start) { log_.close(start); }
  void undo() { log_.undo(); }
  void drop() { log_.drop(); }
  template <class T>
  void forget(const T *object) {
    log_.forget(object);
  }
  bool full() const { return false; }
  void reserve(long long) {}

 private:
  store_log<growing_stack> log_;
};
#endif

// The logical block of index `linear` of a grid. Most grids have one dimension.
__host__ __device__ inline uint3 logical_block(const dim3 &grid, unsigned long long linear) {
  uint3 block;
  block.x = static_cast<unsigned>(linear);
  block.y = block.z = 0;
  if (grid.y != 1 || grid.z != 1) {
    block.x = static_cast<unsigned>(linear % grid.x);
    block.y = static_cast<unsigned>(linear / grid.x % grid.y);
    block.z = static_cast<unsigned>(linear / grid.x / grid.y);
  }
  return block;
}

// The blocks of the original: those that are there, where a kernel is launched without being told.
__device__ inline launch_state or_own_grid(launch_state given) {
  if (given.blocks == 0) {
    given.grid = dim3(gridDim.x, gridDim.y, gridDim.z);
    given.blocks = 1ULL * gridDim.x * gridDim.y * gridDim.z;
  }
  return given;
}

// The blocks of the original that a block runs one after the other. Where they use shared memory, one waits for all
// threads to be done with that before.
struct logical_blocks {
  // By value, or nvcc's registers differ from those of a loop that is written out.
  struct iterator {
    __device__ bool operator!=(const iterator &) const { return at < blocks; }
    __device__ uint3 operator*() const { return logical_block(grid, at); }
    __device__ void operator++() {
      at += stride;
      if (shared && at < blocks) __syncthreads();
    }
    dim3 grid;
    unsigned long long blocks, at, stride;
    bool shared;
  };
  __device__ iterator begin() const {
    const unsigned long long own = blockIdx.x + 1ULL * gridDim.x * (blockIdx.y + 1ULL * gridDim.y * blockIdx.z);
    return {state.grid, state.blocks, own, 1ULL * gridDim.x * gridDim.y * gridDim.z, shared};
  }
  __device__ iterator end() const { return begin(); }

  const launch_state &state;
  bool shared;
};

#ifdef CLADPY_HOST_H
// On the host CLADPY_EACH_BLOCK(_block, _state, shared) stands before what is done for each. Over workers it is one block.
#ifdef CLADPY_SUMS_BY_WORKERS
#define CLADPY_EACH_BLOCK(block, state, shared) if ([[maybe_unused]] const uint3 block = ::blockIdx; true)
#else
#define CLADPY_EACH_BLOCK(block, state, shared) \
  for ([[maybe_unused]] const uint3 block : cladpy::logical_blocks{state, shared})
#endif
#endif

}  // namespace cladpy

#include <cladpy/halved_sums.h>
#include <cladpy/staging.h>
