// What emitted gradients need besides <cladpy/support.h> where numbers of sixteen bits occur. Adjoints are floats; only in
// the adjoint of a class that has such members do they have to fit into those.
#ifndef CLADPY_HALF_SUPPORT_H
#define CLADPY_HALF_SUPPORT_H

#if defined(__HIP__) && !defined(CLADPY_HOST_H)
#include "hip.h"
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#include <cladpy/support.h>

namespace cladpy {

#define CLADPY_HALF_ADJOINTS(T, widen, narrow)                                                                         \
  __host__ __device__ inline float wide(T value) { return widen(value); }                                              \
  __host__ __device__ inline void add(T *cell, float value) { *cell = narrow(widen(*cell) + value); }                  \
  __device__ inline void atomic_add(T *cell, float value) {                                                            \
    half::update(cell, [value](T old) { return narrow(widen(old) + value); });                                         \
  }                                                                                                                    \
  __device__ inline void reduce_add(T *cell, float value) { atomic_add(cell, value); }                                 \
  __device__ inline float exchange(T *cell) {                                                                          \
    return widen(half::update(cell, [](T) { return narrow(0.0f); }));                                                  \
  }                                                                                                                    \
  CLADPY_HALF_RACES(T, widen, narrow)

namespace half {

// Replaces an element by what is made of it, in one step: by the word that it lies in. What it held before.
template <class T, class Make>
__device__ inline T update(T *cell, Make make) {
#ifdef CLADPY_HOST_H
  host::note_atomic(cell, sizeof *cell);
  const T old = *cell;
  *cell = make(old);
  return old;
#else
  const unsigned long long address = reinterpret_cast<unsigned long long>(cell);
  unsigned *const word = reinterpret_cast<unsigned *>(address & ~3ULL);
  const unsigned shift = address & 2 ? 16 : 0;
  unsigned seen = *word, expected;
  T old;
  do {
    expected = seen;
    const unsigned short before = static_cast<unsigned short>(expected >> shift);
    memcpy(static_cast<void *>(&old), &before, sizeof old);
    const T made = make(old);
    unsigned short after;
    memcpy(&after, &made, sizeof after);
    seen = atomicCAS(word, expected, (expected & ~(0xffffu << shift)) | static_cast<unsigned>(after) << shift);
  } while (seen != expected);
  return old;
#endif
}

}  // namespace half

#ifdef CLADPY_CHECK_RACES
#define CLADPY_HALF_RACES(T, widen, narrow)                                                                            \
  inline void plain_add(T *cell, float value) {                                                                        \
    host::note_write(cell, sizeof *cell);                                                                              \
    add(cell, value);                                                                                                  \
  }                                                                                                                    \
  inline float plain_take(T *cell, bool zero) {                                                                        \
    zero ? host::note_write(cell, sizeof *cell) : host::note_read(cell, sizeof *cell);                                 \
    const float value = widen(*cell);                                                                                  \
    if (zero) *cell = narrow(0.0f);                                                                                    \
    return value;                                                                                                      \
  }
#else
#define CLADPY_HALF_RACES(T, widen, narrow)
#endif
CLADPY_HALF_ADJOINTS(__half, __half2float, __float2half_rn)
#if !defined(CLADPY_NO_BFLOAT16)
CLADPY_HALF_ADJOINTS(__nv_bfloat16, __bfloat162float, __float2bfloat16_rn)
#endif
#undef CLADPY_HALF_ADJOINTS
#undef CLADPY_HALF_RACES

}  // namespace cladpy

#endif
