// Barriers, warp intrinsics, atomics, integer intrinsics and loads of the device.
#ifndef CLADPY_DEVICE_DECLARATIONS_H
#define CLADPY_DEVICE_DECLARATIONS_H

extern "C" {
__device__ void __syncthreads();
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_cluster();
__device__ void __threadfence_system();
__device__ long long clock64();
__device__ void __nanosleep(unsigned int);
__device__ void __trap();
__device__ void __brkpt();
__device__ unsigned int __activemask();
__device__ void __assertfail(const char *, const char *, unsigned int, const char *, cladpy_size_t);
__device__ void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept;
__device__ int printf(const char *, ...);
__device__ void *malloc(cladpy_size_t) noexcept;
__device__ void free(void *) noexcept;
__device__ void *memcpy(void *, const void *, cladpy_size_t) noexcept;
__device__ void *memset(void *, int, cladpy_size_t) noexcept;

__device__ int __clz(int);
__device__ int __clzll(long long);
__device__ int __popc(unsigned int);
__device__ int __popcll(unsigned long long);
__device__ int __ffs(int);
__device__ int __ffsll(long long);
__device__ unsigned int __brev(unsigned int);
__device__ unsigned long long __brevll(unsigned long long);
__device__ int __mul24(int, int);
__device__ unsigned int __umul24(unsigned int, unsigned int);
__device__ int __mulhi(int, int);
__device__ unsigned int __umulhi(unsigned int, unsigned int);
__device__ long long __mul64hi(long long, long long);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__device__ int __hadd(int, int);
__device__ int __rhadd(int, int);
__device__ unsigned int __uhadd(unsigned int, unsigned int);
__device__ unsigned int __urhadd(unsigned int, unsigned int);
__device__ unsigned int __sad(int, int, unsigned int);
__device__ unsigned int __usad(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_lc(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_rc(unsigned int, unsigned int, unsigned int);
}

__device__ void __syncwarp(unsigned int = 0xffffffffu);
__device__ int __all_sync(unsigned int, int);
__device__ int __any_sync(unsigned int, int);
__device__ int __uni_sync(unsigned int, int);
__device__ unsigned int __ballot_sync(unsigned int, int);

#define CLADPY_SHUFFLE(type)                                                                                           \
  __device__ type __shfl_sync(unsigned int, type, int, int = warpSize);                                                      \
  __device__ type __shfl_up_sync(unsigned int, type, unsigned int, int = warpSize);                                          \
  __device__ type __shfl_down_sync(unsigned int, type, unsigned int, int = warpSize);                                        \
  __device__ type __shfl_xor_sync(unsigned int, type, int, int = warpSize);
#define CLADPY_MATCH(type)                                                                                             \
  __device__ unsigned int __match_any_sync(unsigned int, type);                                                        \
  __device__ unsigned int __match_all_sync(unsigned int, type, int *);
#define CLADPY_BOTH(type) CLADPY_SHUFFLE(type) CLADPY_MATCH(type)
CLADPY_BOTH(int)
CLADPY_BOTH(unsigned int)
CLADPY_BOTH(long)
CLADPY_BOTH(unsigned long)
CLADPY_BOTH(long long)
CLADPY_BOTH(unsigned long long)
CLADPY_BOTH(float)
CLADPY_BOTH(double)
#undef CLADPY_BOTH
#undef CLADPY_MATCH
#undef CLADPY_SHUFFLE

__device__ unsigned int __reduce_add_sync(unsigned int, unsigned int);
__device__ int __reduce_add_sync(unsigned int, int);
__device__ unsigned int __reduce_min_sync(unsigned int, unsigned int);
__device__ int __reduce_min_sync(unsigned int, int);
__device__ unsigned int __reduce_max_sync(unsigned int, unsigned int);
__device__ int __reduce_max_sync(unsigned int, int);
__device__ unsigned int __reduce_and_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_or_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_xor_sync(unsigned int, unsigned int);

#define CLADPY_ATOMIC(name, type)                                                                                      \
  __device__ type name(type *, type);                                                                                  \
  __device__ type name##_block(type *, type);                                                                          \
  __device__ type name##_system(type *, type);
#define CLADPY_ATOMIC_INTEGERS(name) CLADPY_ATOMIC(name, int) CLADPY_ATOMIC(name, unsigned int)                        \
  CLADPY_ATOMIC(name, unsigned long long)
CLADPY_ATOMIC_INTEGERS(atomicAdd)
CLADPY_ATOMIC(atomicAdd, float)
CLADPY_ATOMIC(atomicAdd, double)
CLADPY_ATOMIC(atomicAdd, float2)
CLADPY_ATOMIC(atomicAdd, float4)
CLADPY_ATOMIC(atomicSub, int)
CLADPY_ATOMIC(atomicSub, unsigned int)
CLADPY_ATOMIC_INTEGERS(atomicExch)
CLADPY_ATOMIC(atomicExch, float)
CLADPY_ATOMIC_INTEGERS(atomicMin)
CLADPY_ATOMIC(atomicMin, long long)
CLADPY_ATOMIC_INTEGERS(atomicMax)
CLADPY_ATOMIC(atomicMax, long long)
CLADPY_ATOMIC(atomicInc, unsigned int)
CLADPY_ATOMIC(atomicDec, unsigned int)
CLADPY_ATOMIC_INTEGERS(atomicAnd)
CLADPY_ATOMIC_INTEGERS(atomicOr)
CLADPY_ATOMIC_INTEGERS(atomicXor)
#undef CLADPY_ATOMIC_INTEGERS
#undef CLADPY_ATOMIC
#define CLADPY_CAS(type)                                                                                               \
  __device__ type atomicCAS(type *, type, type);                                                                       \
  __device__ type atomicCAS_block(type *, type, type);                                                                 \
  __device__ type atomicCAS_system(type *, type, type);
CLADPY_CAS(int)
CLADPY_CAS(unsigned int)
CLADPY_CAS(unsigned long long)
CLADPY_CAS(unsigned short)
#undef CLADPY_CAS
#define CLADPY_ATOMIC_ACCESS __device__ inline
#include <cladpy/atomic_accesses.h>

#define CLADPY_LOAD(type)                                                                                              \
  __device__ type __ldg(const type *);                                                                                 \
  __device__ type __ldca(const type *);                                                                                \
  __device__ type __ldcg(const type *);                                                                                \
  __device__ type __ldcs(const type *);                                                                                \
  __device__ type __ldlu(const type *);                                                                                \
  __device__ type __ldcv(const type *);                                                                                \
  __device__ void __stwb(type *, type);                                                                                \
  __device__ void __stcg(type *, type);                                                                                \
  __device__ void __stcs(type *, type);                                                                                \
  __device__ void __stwt(type *, type);
CLADPY_LOAD(char)
CLADPY_LOAD(signed char)
CLADPY_LOAD(short)
CLADPY_LOAD(int)
CLADPY_LOAD(long)
CLADPY_LOAD(long long)
CLADPY_LOAD(unsigned char)
CLADPY_LOAD(unsigned short)
CLADPY_LOAD(unsigned int)
CLADPY_LOAD(unsigned long)
CLADPY_LOAD(unsigned long long)
CLADPY_LOAD(float)
CLADPY_LOAD(double)
CLADPY_LOAD(int2)
CLADPY_LOAD(int4)
CLADPY_LOAD(uint2)
CLADPY_LOAD(uint4)
CLADPY_LOAD(float2)
CLADPY_LOAD(float4)
CLADPY_LOAD(double2)
#undef CLADPY_LOAD

#endif
