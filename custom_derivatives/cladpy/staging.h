// Sums of a block's own, in shared memory, for elements that all blocks add to. Part of <cladpy/support.h>.
#pragma once

namespace cladpy {

// How many elements there are, by what the largest indices may be, each plus one.
template <class... More>
__host__ __device__ inline unsigned long long extent_of(long first, More... more) {
  const long extents[] = {first, more...};
  long most = 0;
  for (const long extent : extents) most = extent > most ? extent : most;
  return static_cast<unsigned long long>(most);
}

// Of so many copies; more than there can be, where there are very many elements.
__host__ __device__ inline unsigned long long staging_bytes(unsigned long long count, unsigned long long size,
                                                            unsigned long long copies = 1) {
  if (count >> 32) return 1ULL << 40;
  return (count * copies * size + 15) / 16 * 16;
}

// Between what makes sums and what adds to them, and before they are added up; in emitted host code.
#ifdef CLADPY_HOST_H
inline void wait_for_stages() {
#ifndef CLADPY_SUMS_BY_WORKERS
  __syncthreads();
#endif
}
#endif

// Shared memory that sums are given, one after the other; where there is too little, none.
class staging {
 public:
  __device__ staging(unsigned char *shared, const launch_state &state)
      : next_(shared + state.staging_at), left_(state.staging), of_warps_(state.of_warps) {}
  __device__ bool of_warps() const { return of_warps_; }
  template <class T>
  __device__ T *take(unsigned long long count, unsigned copies) {
    const unsigned long long bytes = staging_bytes(count, sizeof(T), copies);
    if (bytes > left_) return nullptr;
    T *const taken = reinterpret_cast<T *>(next_);
    next_ += bytes;
    left_ -= bytes;
    return taken;
  }

 private:
  unsigned char *next_;
  unsigned long long left_;
  bool of_warps_;
};

// The sums for the first elements of an adjoint. A barrier has to follow where they are made, and to come before they are
// added to the elements.
//
// Where the lanes of a warp add to neighbouring elements (`Lanes`), each warp has its own sums, if there is room, and each
// lane the elements whose numbers have the same remainder by 32: these are added to plainly, since no other thread does. An
// atomic addition of floating-point numbers in shared memory is a loop around a compare-and-swap.
template <class T, bool Lanes = false>
class staged {
 public:
  __device__ staged(staging &room, T *adjoint, unsigned long long count)
      : copies_(Lanes && room.of_warps() ? (threads() + 31) / 32 : 1),
        sums_(adjoint ? room.take<T>(count, copies_) : nullptr),
        adjoint_(adjoint),
        count_(sums_ ? static_cast<unsigned>(count) : 0),
        own_(Lanes && room.of_warps() ? sums_ + thread_in_block() / 32 * count_ : nullptr) {
    for (unsigned i = thread_in_block(); i < copies_ * count_; i += threads()) sums_[i] = T(0);
  }
  template <class I>
  __device__ void add(I index, T value) const {
#ifdef CLADPY_SUMS_BY_WORKERS
    return cladpy::reduce_add(&adjoint_[index], value);
#endif
    const bool here = is_here(index);
    if (Lanes && own_ && here && (static_cast<unsigned>(index) ^ thread_in_block()) % 32 == 0) {
      own_[index] += value;
    } else if (here && (!Lanes || !own_)) {
      add_any(&sums_[index], value);
    } else {
      add_any(&adjoint_[index], value);
    }
  }
  // Of an index that is the same for all threads that are here at a time.
  template <class I>
  __device__ void reduce_add(I index, T value) const {
#ifdef CLADPY_SUMS_BY_WORKERS
    return cladpy::reduce_add(&adjoint_[index], value);
#endif
    if (warp_sum(&adjoint_[index], value) && value != T(0)) add(index, value);
  }
  // Where several of them are added to at once, by lanes that may be any of the warp: what is the lanes' own is left alone.
  template <class I>
  __device__ T *cell(I index) const {
    return is_here(index) && !own_ ? &sums_[index] : &adjoint_[index];
  }
  // To two of them at one index.
  template <class I>
  __device__ static void reduce_add_both(I index, const staged &a, T value, const staged &b, T other) {
    if (a.is_here(index) && b.is_here(index)) {
      cladpy::reduce_add(&a.sums_[index], value, &b.sums_[index], other);
    } else {
      a.reduce_add(index, value);
      b.reduce_add(index, other);
    }
  }
  // An element that nobody added to may lie outside of its array.
  __device__ void add_up() const {
    for (unsigned i = thread_in_block(); i < count_; i += threads()) {
      T sum = sums_[i];
      for (unsigned copy = 1; copy < copies_; ++copy) sum += sums_[copy * count_ + i];
      if (sum != T(0)) add_any(&adjoint_[i], sum);
    }
  }

 private:
  __device__ static unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }
  // A negative index is none of them, however wide: there are fewer sums than an int counts.
  template <class I>
  __device__ bool is_here(I index) const {
    return sizeof(I) > sizeof(count_) ? static_cast<unsigned long long>(index) < count_
                                      : static_cast<unsigned>(index) < count_;
  }

  unsigned copies_;
  T *sums_;
  T *adjoint_;
  unsigned count_;
  T *own_;  // of the warp
};

template <class T, class I>
__device__ inline void reduce_add(I index, const staged<T> &a, T value, const staged<T> &b, T other) {
  staged<T>::reduce_add_both(index, a, value, b, other);
}

}  // namespace cladpy
