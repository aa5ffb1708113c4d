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

#include "update.h"

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
