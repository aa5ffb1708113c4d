// The adjoint of sums that a block makes by halves, in the shared memory that `s` is:
//
//     for (o = half; o > 0; o /= 2) { if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o]; __syncthreads(); }
//
// An element k that a step adds to the one at k - o gets the adjoint that this has in the end, which has got its own in
// the same way: so k gets the adjoints of all elements on its way to the first one. No two steps add the same element.
#ifndef CLADPY_HALVED_SUMS_H
#define CLADPY_HALVED_SUMS_H

namespace cladpy {
#ifdef CLADPY_CHECK_RACES
template <class T>
inline T seen(const T *cell) {
  return plain_read(cell);
}
template <class T>
inline void grown(T *cell, T value) {
  plain_add(cell, value);
}
#else
template <class T>
__device__ inline T seen(const T *cell) {
  return *cell;
}
template <class T>
__device__ inline void grown(T *cell, T value) {
  *cell += value;
}
#endif

// Where element k goes first, in steps from `half` on, or k itself where it stays: there may be fewer threads than the
// steps need. `half` becomes the step after.
__device__ inline unsigned halved_onto(unsigned k, unsigned &half) {
  while (half > 0) {
    const unsigned o = half;
    half /= 2;
    if (k >= o) return k - o < o && k - o < blockDim.x ? k - o : k;
  }
  return k;
}

// Whether element k comes to the first one.
__device__ inline bool comes_first(unsigned k, unsigned half) {
  if ((half & (half - 1)) == 0 && half <= blockDim.x) return k < 2 * half;
  for (unsigned at = k;;) {
    const unsigned next = halved_onto(at, half);
    if (next == 0) return true;
    if (next == at) return false;
    at = next;
  }
}

// All threads of the block come here, after a barrier, and the memory is read after another. Only the first element has
// an adjoint yet.
template <class T>
__device__ inline void first_of_halved_sum_pullback(T *d, long long most) {
  const unsigned half = static_cast<unsigned>(most);
  for (unsigned k = threadIdx.x; k < 2 * half; k += blockDim.x) {
    if (k > 0 && comes_first(k, half)) grown(&d[k], seen(&d[0]));
  }
}

#if defined(CLADPY_PHASES)
// The same for a whole block.
namespace host {
namespace threads {
template <class T> inline void first_of_halved_sum_pullback(const block_threads &all, T *d, long long most) {
  const unsigned half = static_cast<unsigned>(most);
  const T first = d[0];
  if ((half & (half - 1)) == 0 && half <= all.block.x) {
    for (unsigned k = 1; k < 2 * half; ++k) d[k] += first;
  } else {
    for (unsigned k = 1; k < 2 * half; ++k)
      if (comes_first(k, half)) d[k] += first;
  }
}
} // namespace threads
} // namespace host
#endif

// The same where others may have one as well.
template <class T>
__device__ inline void halved_sum_pullback(T *d, long long most) {
  const unsigned half = static_cast<unsigned>(most);
  bool others = false;
  for (unsigned k = threadIdx.x; k < 2 * half; k += blockDim.x) others = others || (k > 0 && seen(&d[k]) != T(0));
  if (!__syncthreads_or(others)) {
    first_of_halved_sum_pullback(d, most);
    return;
  }
  // Elements go to lower ones: as many as there are threads at a time, from the end.
  for (unsigned chunks = (2 * half + blockDim.x - 1) / blockDim.x; chunks > 0; --chunks) {
    const unsigned k = (chunks - 1) * blockDim.x + threadIdx.x;
    T sum = T(0);
    if (k < 2 * half) {
      unsigned step = half;
      for (unsigned at = k, next; (next = halved_onto(at, step)) != at; at = next) sum += seen(&d[next]);
    }
    __syncthreads();
    if (sum != T(0)) grown(&d[k], sum);
  }
}
}  // namespace cladpy

#endif
