// What emitted gradients are made of besides the language: accumulation, the tape, launch state.
// On the host backend <cladpy/host.h> comes first.
#pragma once

#include <cstring>
#include <vector>

namespace cladpy {

// ---- arithmetic -------------------------------------------------------------------------------------------------------

// What is marked as nondifferentiable: the number, without its derivative.
template <class T>
__host__ __device__ inline T detached(T x) {
  return x;
}

// The threads of a block zero an array of theirs; a barrier has to follow.
template <class T>
__device__ inline void clear_shared(T *memory, unsigned length) {
  const unsigned step = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); i < length; i += step) memory[i] = T(0);
}

// An object that is made for a call number by number, whatever constructors its class has. It is zero at first.
template <class T>
union blank {
  __host__ __device__ blank() : bytes{} {}
  __host__ __device__ ~blank() {}
  __host__ __device__ T &operator*() { return object; }
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

// A zero adjoint contributes zero, also where the partial is infinite or not a number.
template <class T>
__host__ __device__ inline T times(T adjoint, T partial) {
  return adjoint == T(0) ? T(0) : adjoint * partial;
}

template <class T>
__host__ __device__ inline T over(T adjoint, T divisor) {
  return adjoint == T(0) ? T(0) : adjoint / divisor;
}

// Sums and products that compilers do not contract into multiply-adds: what decides a branch or an index must come out
// the same wherever it is evaluated.
#if defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H)
__device__ inline double add_rn(double a, double b) { return __dadd_rn(a, b); }
__device__ inline double sub_rn(double a, double b) { return __dsub_rn(a, b); }
__device__ inline double mul_rn(double a, double b) { return __dmul_rn(a, b); }
__device__ inline float add_rn(float a, float b) { return __fadd_rn(a, b); }
__device__ inline float sub_rn(float a, float b) { return __fsub_rn(a, b); }
__device__ inline float mul_rn(float a, float b) { return __fmul_rn(a, b); }
#else
template <class T>
__host__ __device__ inline T add_rn(T a, T b) {
  return a + b;
}
template <class T>
__host__ __device__ inline T sub_rn(T a, T b) {
  return a - b;
}
template <class T>
__host__ __device__ inline T mul_rn(T a, T b) {
  return a * b;
}
#endif

// ---- objects -----------------------------------------------------------------------------------------------------------

template <class Object, class T>
struct member_of {
  using type = T;
};
template <class Object, class T>
struct member_of<const Object, T> {
  using type = const T;
};

// The member of type T that lies `offset` bytes into an object, where its name must not be used or finds another.
template <class T, long offset, class Object>
__host__ __device__ inline auto member(Object &object) -> typename member_of<Object, T>::type & {
  char *first = &const_cast<char &>(reinterpret_cast<const volatile char &>(object));
  return *reinterpret_cast<typename member_of<Object, T>::type *>(first + offset);
}

// ---- accumulation -----------------------------------------------------------------------------------------------------

__device__ inline void atomic_add(double *cell, double value) { atomicAdd(cell, value); }
__device__ inline void atomic_add(float *cell, float value) { atomicAdd(cell, value); }
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

// Adds values to an element that is the same for all threads: a warp that arrives as a whole sums first and needs one
// atomic. Threads of a warp may also arrive in different iterations of a loop, with different elements.
template <class T>
__device__ inline void reduce_add(T *cell, T value) {
#if defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H)
  int same = 0;
  if (__activemask() == 0xffffffffu) {
    __match_all_sync(0xffffffffu, reinterpret_cast<unsigned long long>(cell), &same);
  }
  if (same) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (thread % 32 == 0) atomic_add(cell, value);
    return;
  }
#endif
  atomic_add(cell, value);
}

#ifdef CLADPY_CHECK_RACES
// The forms that plain accesses take when races are looked for.
template <class T>
inline void plain_add(T *cell, T value) {
  host::note_write(cell, sizeof *cell);
  *cell += value;
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
  memcpy(&value, &slot, sizeof value);
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
};

// In the workspace, slot-major: neighbouring threads touch neighbouring addresses.
class workspace_tape {
 public:
  __device__ explicit workspace_tape(const launch_state &state) {
    const unsigned long long threads = 1ULL * blockDim.x * blockDim.y * blockDim.z;
    const unsigned long long thread = threadIdx.x + 1ULL * blockDim.x * (threadIdx.y + 1ULL * blockDim.y * threadIdx.z);
    const unsigned long long block = blockIdx.x + 1ULL * gridDim.x * (blockIdx.y + 1ULL * gridDim.y * blockIdx.z);
    stride_ = threads * gridDim.x * gridDim.y * gridDim.z;
    next_ = state.workspace + block * threads + thread;
  }
  template <class T>
  __device__ void push(T value) {
    *next_ = to_slot(value);
    next_ += stride_;
  }
  template <class T>
  __device__ T pop() {
    next_ -= stride_;
    return from_slot<T>(*next_);
  }

 private:
  unsigned long long *next_;
  unsigned long long stride_;
};

// The old contents of what a counting launch stores to, newest last.
class undo_log {
 public:
  // Where a thread's slots do not hold everything, what it did is undone and `full` set.
  __device__ undo_log(const launch_state &state, unsigned long long *full)
      : entries_(state), room_(state.slots / 3), full_(full) {}
  template <class T>
  __device__ bool save(T *cell) {
    if (count_ == room_) {
      undo();
      *full_ = 1;
      return false;
    }
    entries_.push(*cell);
    entries_.push(reinterpret_cast<unsigned long long>(cell));
    entries_.push(sizeof(T));
    ++count_;
    return true;
  }
  __device__ void undo() {
    for (; count_; --count_) {
      const unsigned long long size = entries_.pop<unsigned long long>();
      void *const cell = reinterpret_cast<void *>(entries_.pop<unsigned long long>());
      const unsigned long long old = entries_.pop<unsigned long long>();
      if (size == 8) {
        put<8>(cell, old);
      } else if (size == 4) {
        put<4>(cell, old);
      } else if (size == 2) {
        put<2>(cell, old);
      } else {
        put<1>(cell, old);
      }
    }
  }

 private:
  template <int Size>
  __device__ static void put(void *cell, unsigned long long bytes) {
    memcpy(__builtin_assume_aligned(cell, Size), &bytes, Size);
  }

  workspace_tape entries_;
  unsigned long long count_ = 0;
  unsigned long long room_;
  unsigned long long *full_;
};

// On the host it grows as it is pushed to.
class growing_tape {
 public:
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

 private:
  std::vector<unsigned long long> slots_;
};

// The logical block of index `linear` of a grid.
__host__ __device__ inline uint3 logical_block(const dim3 &grid, unsigned long long linear) {
  uint3 block;
  block.x = static_cast<unsigned>(linear % grid.x);
  block.y = static_cast<unsigned>(linear / grid.x % grid.y);
  block.z = static_cast<unsigned>(linear / grid.x / grid.y);
  return block;
}

}  // namespace cladpy
