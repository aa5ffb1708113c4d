// Which order keys come in, and where the largest of them is: what sorts of Thrust and CUB are made of. The answers are
// integers, which have no derivative, and the gradient asks once. On a GPU they come from Thrust; on the host, and for the
// front end, from loops.
#pragma once

#include <cladpy/algorithms.h>

#include <climits>
#include <cstddef>
#include <new>
#include <stdexcept>

#if defined(CLADPY_HOST_H) || defined(CLADPY_SORTING_IS_READ)
#define CLADPY_SORTING_LOOPS
#else
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#endif

namespace cladpy {
namespace sorting {

#ifdef CLADPY_SORTING_LOOPS

// What is no number is larger than all that are, as it is in a sort by bits.
template <class T> struct ascending {
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b || (a == a && b != b); }
};
template <class T> struct descending {
  __host__ __device__ bool operator()(const T &a, const T &b) const { return b < a || (b == b && a != a); }
};

template <class T, class Before> void order_by_loops(const T *keys, unsigned *order, std::size_t n, Before before) {
  unsigned *const merged = new unsigned[n];
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<unsigned>(i);
  for (std::size_t width = 1; width < n; width *= 2) {
    for (std::size_t begin = 0; begin < n; begin += 2 * width) {
      const std::size_t middle = begin + width < n ? begin + width : n, end = begin + 2 * width < n ? begin + 2 * width : n;
      std::size_t one = begin, other = middle;
      for (std::size_t i = begin; i < end; ++i) {
        if (other < end && (one == middle || before(keys[order[other]], keys[order[one]]))) {
          merged[i] = order[other];
          ++other;
        } else {
          merged[i] = order[one];
          ++one;
        }
      }
    }
    for (std::size_t i = 0; i < n; ++i) order[i] = merged[i];
  }
  delete[] merged;
}
template <class T> void order_of(const T *keys, unsigned *order, std::size_t n, bool largest_first) {
  if (largest_first)
    order_by_loops(keys, order, n, descending<T>());
  else
    order_by_loops(keys, order, n, ascending<T>());
}
template <class T> std::size_t first_of(const T *keys, std::size_t n, bool largest) {
  std::size_t place = 0;
  for (std::size_t i = 1; i < n; ++i)
    if (largest ? keys[place] < keys[i] : keys[i] < keys[place]) place = i;
  return place;
}

// Functions with derivatives are no templates where they are read.
#define CLADPY_SORTING_FUNCTIONS(T)                                                                                    \
  inline void order(const T *keys, unsigned *order, std::size_t n, bool largest_first) { order_of(keys, order, n, largest_first); } \
  inline std::size_t place(const T *keys, std::size_t n, bool largest) { return first_of(keys, n, largest); }
#define CLADPY_SORTING_NUMBERS(DO)                                                                                     \
  DO(double)                                                                                                           \
  DO(float)
#define CLADPY_SORTING_INTEGERS(DO)                                                                                    \
  DO(bool)                                                                                                             \
  DO(char)                                                                                                             \
  DO(signed char)                                                                                                      \
  DO(unsigned char)                                                                                                    \
  DO(short)                                                                                                            \
  DO(unsigned short)                                                                                                   \
  DO(int)                                                                                                              \
  DO(unsigned int)                                                                                                     \
  DO(long)                                                                                                             \
  DO(unsigned long)                                                                                                    \
  DO(long long)                                                                                                        \
  DO(unsigned long long)
CLADPY_SORTING_NUMBERS(CLADPY_SORTING_FUNCTIONS)
CLADPY_SORTING_INTEGERS(CLADPY_SORTING_FUNCTIONS)
#undef CLADPY_SORTING_FUNCTIONS

#else

// Memory of the device for as long as it is named.
template <class T> class scratch {
public:
  explicit scratch(std::size_t n) : memory_(nullptr) {
    if (cudaMalloc(reinterpret_cast<void **>(&memory_), n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
  }
  scratch(const scratch &) = delete;
  scratch &operator=(const scratch &) = delete;
  ~scratch() { (void)cudaFree(memory_); }
  T *get() const { return memory_; }

private:
  T *memory_;
};

// order[i] is where the ith of the keys in their order comes from; of equal ones the first is the first.
template <class T> void order(const T *keys, unsigned *order, std::size_t n, bool largest_first) {
  if (n > UINT_MAX) throw std::length_error("a sort of more elements than an unsigned integer counts has no gradient");
  const scratch<T> own(n);
  (void)cudaMemcpy(own.get(), keys, n * sizeof(T), cudaMemcpyDeviceToDevice);
  thrust::sequence(thrust::device, order, order + n);
  if (largest_first)
    thrust::stable_sort_by_key(thrust::device, own.get(), own.get() + n, order, thrust::greater<T>());
  else
    thrust::stable_sort_by_key(thrust::device, own.get(), own.get() + n, order, thrust::less<T>());
}
// Where the first of the largest, or smallest, keys is.
template <class T> std::size_t place(const T *keys, std::size_t n, bool largest) {
  return (largest ? thrust::max_element(thrust::device, keys, keys + n) : thrust::min_element(thrust::device, keys, keys + n)) - keys;
}

#endif

}  // namespace sorting

// Where a key is has no derivative: what is moved there has.
namespace custom_derivatives {
namespace cladpy {
namespace sorting {

#ifdef CLADPY_SORTING_LOOPS
#define CLADPY_SORTING_PULLBACKS(T)                                                                                    \
  inline void order_pullback(const T *, unsigned *, std::size_t, bool, T *) {}                                         \
  inline void place_pullback(const T *, std::size_t, bool, T *) {}
CLADPY_SORTING_NUMBERS(CLADPY_SORTING_PULLBACKS)
#undef CLADPY_SORTING_PULLBACKS
#define CLADPY_SORTING_PULLBACKS(T)                                                                                    \
  inline void order_pullback(const T *, unsigned *, std::size_t, bool) {}                                              \
  inline void place_pullback(const T *, std::size_t, bool) {}
CLADPY_SORTING_INTEGERS(CLADPY_SORTING_PULLBACKS)
#undef CLADPY_SORTING_PULLBACKS
#else
template <class T> void order_pullback(const T *, unsigned *, std::size_t, bool, T *) {}
template <class T> void place_pullback(const T *, std::size_t, bool, T *) {}
#endif

}  // namespace sorting
}  // namespace cladpy
}  // namespace custom_derivatives
}  // namespace cladpy
