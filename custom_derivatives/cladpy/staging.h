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

// More than there can be, where there are very many elements.
__host__ __device__ inline unsigned long long staging_bytes(unsigned long long count, unsigned long long size) {
  if (count >> 32) return 1ULL << 40;
  return (count * size + 15) / 16 * 16;
}

// Shared memory that sums are given, one after the other; where there is too little, none.
class staging {
 public:
  __device__ staging(unsigned char *shared, const launch_state &state)
      : next_(shared + state.staging_at), left_(state.staging) {}
  template <class T>
  __device__ T *take(unsigned long long count) {
    const unsigned long long bytes = staging_bytes(count, sizeof(T));
    if (bytes > left_) return nullptr;
    T *const taken = reinterpret_cast<T *>(next_);
    next_ += bytes;
    left_ -= bytes;
    return taken;
  }

 private:
  unsigned char *next_;
  unsigned long long left_;
};

// The sums for the first elements of an adjoint. A barrier has to follow where they are made, and to come before they are
// added to the elements.
template <class T>
class staged {
 public:
  __device__ staged(staging &room, T *adjoint, unsigned long long count)
      : sums_(adjoint ? room.take<T>(count) : nullptr), adjoint_(adjoint), count_(sums_ ? count : 0) {
    for (unsigned long long i = thread_in_block(); i < count_; i += threads()) sums_[i] = T(0);
  }
  template <class I>
  __device__ void add(I index, T value) const {
    if (is_here(index)) {
      atomic_add(&sums_[index], value);
    } else {
      atomic_add(&adjoint_[index], value);
    }
  }
  // Of an index that is the same for all threads that are here at a time.
  template <class I>
  __device__ void reduce_add(I index, T value) const {
    if (warp_sum(&adjoint_[index], value) && value != T(0)) add(index, value);
  }
  // An element that nobody added to may lie outside of its array.
  __device__ void add_up() const {
    for (unsigned long long i = thread_in_block(); i < count_; i += threads()) {
      if (sums_[i] != T(0)) atomic_add(&adjoint_[i], sums_[i]);
    }
  }

 private:
  __device__ static unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }
  template <class I>
  __device__ bool is_here(I index) const {
    return static_cast<unsigned long long>(index) < count_;
  }

  T *sums_;
  T *adjoint_;
  unsigned long long count_;
};

}  // namespace cladpy
