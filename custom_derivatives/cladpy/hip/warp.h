// CUDA's warp intrinsics for HIP. Part of <cladpy/warp.h>.
//
// A warp has 32 lanes here, as where the program was written: a wavefront of 64 is two warps, and which of them a lane is
// in follows from its thread, as on CUDA's devices. Lanes that are in one place are together on these devices, so that
// nothing has to wait for the lanes of a mask.
//
// What tells these functions from HIP's own, which it has from version 6.2 on, is the mask: HIP's takes 64 bits, and names
// the lanes of a wavefront. Since that is another meaning than the one that was differentiated, it is refused.
#pragma once

#include <type_traits>

namespace cladpy {
namespace hip {

// The lanes of the warp that are here, of those that a mask names.
__device__ inline unsigned present(unsigned mask) {
  return static_cast<unsigned>(__ballot(1) >> (__lane_id() & 32u)) & mask;
}

// What a lane of the warp has, of any type: word by word.
template <class T>
__device__ inline T of_lane(T value, int lane) {
  int words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &value, sizeof value);
  for (int &word : words) word = __shfl(word, lane, 32);
  memcpy(static_cast<void *>(&value), words, sizeof value);
  return value;
}

}  // namespace hip
}  // namespace cladpy

// The functions, for each type of a mask of 32 bits.
#define CLADPY_HIP_WARP(Mask)                                                                                          \
  template <class T>                                                                                                   \
  __device__ inline T __shfl_sync(Mask mask, T value, int lane, int width = 32) {                                      \
    return cladpy::hip::of_lane(value, cladpy::shfl_source(cladpy::hip::present(mask), lane, width));                  \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __device__ inline T __shfl_up_sync(Mask mask, T value, unsigned delta, int width = 32) {                             \
    return cladpy::hip::of_lane(value, cladpy::shfl_up_source(cladpy::hip::present(mask), delta, width));              \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __device__ inline T __shfl_down_sync(Mask mask, T value, unsigned delta, int width = 32) {                           \
    return cladpy::hip::of_lane(value, cladpy::shfl_down_source(cladpy::hip::present(mask), delta, width));            \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __device__ inline T __shfl_xor_sync(Mask mask, T value, int bits, int width = 32) {                                  \
    return cladpy::hip::of_lane(value, cladpy::shfl_xor_source(cladpy::hip::present(mask), bits, width));              \
  }                                                                                                                    \
  __device__ inline unsigned __ballot_sync(Mask mask, int predicate) {                                                 \
    return static_cast<unsigned>(__ballot(predicate) >> (__lane_id() & 32u)) & mask;                                   \
  }                                                                                                                    \
  __device__ inline int __any_sync(Mask mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }           \
  __device__ inline int __all_sync(Mask mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }          \
  __device__ inline int __uni_sync(Mask mask, int predicate) {                                                         \
    return __all_sync(mask, predicate) || !__any_sync(mask, predicate);                                                \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __device__ inline unsigned __match_any_sync(Mask mask, T value) {                                                    \
    unsigned same = 0;                                                                                                 \
    for (unsigned rest = cladpy::hip::present(mask); rest; rest &= rest - 1) {                                         \
      const int lane = __ffs(static_cast<int>(rest)) - 1;                                                              \
      if (cladpy::hip::of_lane(value, lane) == value) same |= 1u << lane;                                              \
    }                                                                                                                  \
    return same;                                                                                                       \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __device__ inline unsigned __match_all_sync(Mask mask, T value, int *predicate) {                                    \
    const unsigned here = cladpy::hip::present(mask);                                                                  \
    *predicate = __all_sync(here, __match_any_sync(here, value) == here);                                              \
    return *predicate ? here : 0;                                                                                      \
  }
CLADPY_HIP_WARP(unsigned)
CLADPY_HIP_WARP(int)
#undef CLADPY_HIP_WARP

// Masks of 64 bits.
#define CLADPY_HIP_WIDE(Mask)                                                                                          \
  template <class T>                                                                                                   \
  __device__ T __shfl_sync(Mask, T, int, int = 32) = delete;                                                           \
  template <class T>                                                                                                   \
  __device__ T __shfl_up_sync(Mask, T, unsigned, int = 32) = delete;                                                   \
  template <class T>                                                                                                   \
  __device__ T __shfl_down_sync(Mask, T, unsigned, int = 32) = delete;                                                 \
  template <class T>                                                                                                   \
  __device__ T __shfl_xor_sync(Mask, T, int, int = 32) = delete;                                                       \
  __device__ unsigned __ballot_sync(Mask, int) = delete;                                                               \
  __device__ int __any_sync(Mask, int) = delete;                                                                       \
  __device__ int __all_sync(Mask, int) = delete;                                                                       \
  template <class T>                                                                                                   \
  __device__ unsigned __match_any_sync(Mask, T) = delete;                                                              \
  template <class T>                                                                                                   \
  __device__ unsigned __match_all_sync(Mask, T, int *) = delete;
CLADPY_HIP_WIDE(long)
CLADPY_HIP_WIDE(unsigned long)
CLADPY_HIP_WIDE(long long)
CLADPY_HIP_WIDE(unsigned long long)
#undef CLADPY_HIP_WIDE

// HIP's own takes nothing that would tell it from CUDA's, and names the lanes of a wavefront. Emitted code turns HIP's
// functions off; where they were on before, and a wavefront has 64 lanes, it is refused.
#if !defined(HIP_DISABLE_WARP_SYNC_BUILTINS) && (defined(HIP_ENABLE_WARP_SYNC_BUILTINS) || HIP_VERSION >= 70000000)
#if defined(__GFX9__)
#pragma GCC poison __activemask
#endif
#else
__device__ inline unsigned __activemask() { return cladpy::hip::present(0xffffffffu); }
#endif

// Orders what the lanes of a wavefront write and read: they run in step.
template <class Mask = unsigned>
__device__ inline void __syncwarp(Mask = ~Mask(0)) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

#define CLADPY_HIP_REDUCE(name, T, combined)                                        \
  __device__ inline T name(unsigned mask, T value) {                                \
    T total = 0;                                                                    \
    bool first = true;                                                              \
    for (unsigned rest = cladpy::hip::present(mask); rest; rest &= rest - 1) {      \
      const T other = cladpy::hip::of_lane(value, __ffs(static_cast<int>(rest)) - 1); \
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
