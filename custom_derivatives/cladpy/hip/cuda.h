// CUDA's device functions that HIP lacks. Part of <cladpy/support.h>.
//
// All are templates, so that a function of HIP's, or of the user's own, of the same name and arguments is the one that is
// called: newer versions of HIP have some of them, and programs that were ported bring their own.
#pragma once

#include <limits>

#ifndef __grid_constant__
#define __grid_constant__
#endif

#define CLADPY_HIP template <int = 0> __device__ inline

#define CLADPY_SIMD CLADPY_HIP
#include <cladpy/simd.h>

// ---- memory -----------------------------------------------------------------------------------------------------------
// Loads and stores that say what a cache is to do.

#define CLADPY_HIP_LOAD(name) \
  template <class T>          \
  __device__ inline T name(const T *address) { return *address; }
#define CLADPY_HIP_STORE(name) \
  template <class T>           \
  __device__ inline void name(T *address, T value) { *address = value; }
CLADPY_HIP_LOAD(__ldg)
CLADPY_HIP_LOAD(__ldca)
CLADPY_HIP_LOAD(__ldcg)
CLADPY_HIP_LOAD(__ldcs)
CLADPY_HIP_LOAD(__ldlu)
CLADPY_HIP_LOAD(__ldcv)
CLADPY_HIP_STORE(__stwb)
CLADPY_HIP_STORE(__stcg)
CLADPY_HIP_STORE(__stcs)
CLADPY_HIP_STORE(__stwt)
#undef CLADPY_HIP_LOAD
#undef CLADPY_HIP_STORE
#define CLADPY_ATOMIC_ACCESS __device__ inline
#include <cladpy/atomic_accesses.h>

// ---- atomics ----------------------------------------------------------------------------------------------------------
// Those of the block are more than is asked for. A counter that wraps around belongs to the device, which no other sees.

#define CLADPY_HIP_ATOMIC(name)                                                                                        \
  template <class T, class V>                                                                                          \
  __device__ inline T name##_block(T *address, V value) { return name(address, static_cast<T>(value)); }
CLADPY_HIP_ATOMIC(atomicAdd)
CLADPY_HIP_ATOMIC(atomicSub)
CLADPY_HIP_ATOMIC(atomicExch)
CLADPY_HIP_ATOMIC(atomicMin)
CLADPY_HIP_ATOMIC(atomicMax)
CLADPY_HIP_ATOMIC(atomicAnd)
CLADPY_HIP_ATOMIC(atomicOr)
CLADPY_HIP_ATOMIC(atomicXor)
CLADPY_HIP_ATOMIC(atomicInc)
CLADPY_HIP_ATOMIC(atomicDec)
#undef CLADPY_HIP_ATOMIC
template <class T, class C, class V>
__device__ inline T atomicCAS_block(T *address, C compare, V value) {
  return atomicCAS(address, static_cast<T>(compare), static_cast<T>(value));
}

// Each number of a vector by itself, as CUDA's devices do.
CLADPY_HIP float2 atomicAdd(float2 *address, float2 value) {
  return make_float2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
CLADPY_HIP float4 atomicAdd(float4 *address, float4 value) {
  return make_float4(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                     atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w));
}

// ---- the thread -------------------------------------------------------------------------------------------------------

CLADPY_HIP void __trap() { __builtin_trap(); }
CLADPY_HIP void __brkpt() { __builtin_trap(); }
CLADPY_HIP void __threadfence_cluster() { __threadfence(); }
CLADPY_HIP void __nanosleep(unsigned) { __builtin_amdgcn_s_sleep(1); }

// ---- numbers ----------------------------------------------------------------------------------------------------------

CLADPY_HIP double fdivide(double x, double y) { return x / y; }
CLADPY_HIP unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
CLADPY_HIP unsigned umax(unsigned x, unsigned y) { return x > y ? x : y; }
CLADPY_HIP long long llmin(long long x, long long y) { return x < y ? x : y; }
CLADPY_HIP long long llmax(long long x, long long y) { return x > y ? x : y; }
CLADPY_HIP unsigned long long ullmin(unsigned long long x, unsigned long long y) { return x < y ? x : y; }
CLADPY_HIP unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x > y ? x : y; }

#undef CLADPY_HIP
#undef CLADPY_SIMD
