// CUDA's warp intrinsics for HIP, where HIP itself lacks them (before 6.2). Part of <cladpy/warp.h>.
//
// A warp has 32 lanes here, as where the program was written: a wavefront of 64 is two warps. Lanes that are in one place
// are together on these devices, so that nothing has to wait for the lanes of a mask.
#pragma once

#define CLADPY_HIP_SHUFFLES(T)                                                                                      \
  __device__ inline T __shfl_sync(unsigned, T value, int lane, int width = 32) { return __shfl(value, lane, width); } \
  __device__ inline T __shfl_up_sync(unsigned, T value, unsigned delta, int width = 32) {                           \
    return __shfl_up(value, delta, width);                                                                          \
  }                                                                                                                 \
  __device__ inline T __shfl_down_sync(unsigned, T value, unsigned delta, int width = 32) {                         \
    return __shfl_down(value, delta, width);                                                                        \
  }
CLADPY_HIP_SHUFFLES(int)
CLADPY_HIP_SHUFFLES(unsigned int)
CLADPY_HIP_SHUFFLES(long)
CLADPY_HIP_SHUFFLES(unsigned long)
CLADPY_HIP_SHUFFLES(long long)
CLADPY_HIP_SHUFFLES(unsigned long long)
CLADPY_HIP_SHUFFLES(float)
CLADPY_HIP_SHUFFLES(double)
#undef CLADPY_HIP_SHUFFLES

// HIP's exclusive or keeps within a segment; CUDA's reaches the segments before it.
template <class T>
__device__ inline T __shfl_xor_sync(unsigned, T value, int bits, int width = 32) {
  const int own = static_cast<int>(__lane_id() % 32), source = own ^ (bits & 31);
  return __shfl(value, source < own / width * width + width ? source : own, 32);
}

// The lanes of this half of the wavefront for which the predicate holds.
__device__ inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(__ballot(predicate) >> (__lane_id() & 32u)) & mask;
}
__device__ inline unsigned __activemask() { return __ballot_sync(0xffffffffu, 1); }
__device__ inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
__device__ inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
__device__ inline int __uni_sync(unsigned mask, int predicate) {
  return __all_sync(mask, predicate) || !__any_sync(mask, predicate);
}
__device__ inline void __syncwarp(unsigned = 0xffffffffu) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

template <class T>
__device__ inline unsigned __match_any_sync(unsigned mask, T value) {
  unsigned same = 0;
  for (unsigned rest = mask & __activemask(); rest; rest &= rest - 1) {
    const int lane = __ffs(static_cast<int>(rest)) - 1;
    if (__shfl(value, lane, 32) == value) same |= 1u << lane;
  }
  return same;
}
template <class T>
__device__ inline unsigned __match_all_sync(unsigned mask, T value, int *predicate) {
  const unsigned here = mask & __activemask();
  *predicate = __all_sync(here, __match_any_sync(here, value) == here);
  return *predicate ? here : 0;
}

#define CLADPY_HIP_REDUCE(name, T, combined)                                        \
  __device__ inline T name(unsigned mask, T value) {                                \
    T total = 0;                                                                    \
    bool first = true;                                                              \
    for (unsigned rest = mask & __activemask(); rest; rest &= rest - 1) {           \
      const T other = __shfl(value, __ffs(static_cast<int>(rest)) - 1, 32);         \
      total = first ? other : combined;                                             \
      first = false;                                                                \
    }                                                                               \
    return total;                                                                   \
  }
CLADPY_HIP_REDUCE(__reduce_add_sync, unsigned, total + other)
CLADPY_HIP_REDUCE(__reduce_add_sync, int, static_cast<int>(unsigned(total) + unsigned(other)))
CLADPY_HIP_REDUCE(__reduce_min_sync, unsigned, other < total ? other : total)
CLADPY_HIP_REDUCE(__reduce_min_sync, int, other < total ? other : total)
CLADPY_HIP_REDUCE(__reduce_max_sync, unsigned, total < other ? other : total)
CLADPY_HIP_REDUCE(__reduce_max_sync, int, total < other ? other : total)
CLADPY_HIP_REDUCE(__reduce_and_sync, unsigned, total & other)
CLADPY_HIP_REDUCE(__reduce_or_sync, unsigned, total | other)
CLADPY_HIP_REDUCE(__reduce_xor_sync, unsigned, total ^ other)
#undef CLADPY_HIP_REDUCE
