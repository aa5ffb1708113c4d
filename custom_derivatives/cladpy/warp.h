// What lanes of a warp do together in emitted gradients: the adjoints of shuffles. Part of <cladpy/support.h>.
//
// A mask names lanes that run the call together, with the same mask; what is said of all lanes is said of these. A lane
// that reads from one that is not among them keeps its own number, as one does that reads from beyond its segment.
#pragma once

namespace cladpy {

__device__ inline unsigned thread_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

#if defined(__HIP_DEVICE_COMPILE__)
__device__ inline unsigned lane_in_warp() { return __lane_id() % 32; }
#else
__device__ inline unsigned lane_in_warp() { return thread_in_block() % 32; }
#endif

// The lanes that the warp has, their number and their mask: the last warp of a block may have fewer than 32.
__device__ inline unsigned lanes_of_warp() {
  const unsigned first = thread_in_block() / 32 * 32;
  const unsigned count = blockDim.x * blockDim.y * blockDim.z - first;
  return count < 32 ? count : 32;
}
__device__ inline unsigned first_lanes(unsigned count) { return count < 32 ? (1u << count) - 1 : 0xffffffffu; }
__device__ inline unsigned warp_lanes() { return first_lanes(lanes_of_warp()); }

// Whether the lanes of a warp go round with the elements of a tile, and hand sums on to each other. Over workers the threads
// of a block run one after the other, and have nothing to wait for.
#if defined(CLADPY_HOST_H) && !defined(CLADPY_HOST_FIBERS)
constexpr bool warp_goes_round() { return false; }
#else
__device__ inline bool warp_goes_round() { return lanes_of_warp() == 32; }
#endif

__device__ inline bool has_lane(unsigned mask, int lane) { return lane >= 0 && lane < 32 && (mask >> lane & 1u); }

// The lane that a shuffle reads.
__device__ inline int source_or_own(unsigned mask, int source, bool inside) {
  return inside && has_lane(mask, source) ? source : static_cast<int>(lane_in_warp());
}
__device__ inline int shfl_source(unsigned mask, int lane, int width) {
  const int own = static_cast<int>(lane_in_warp());
  return source_or_own(mask, own / width * width + (lane & (width - 1)), true);
}
__device__ inline int shfl_up_source(unsigned mask, unsigned delta, int width) {
  const int own = static_cast<int>(lane_in_warp());
  const int source = own - static_cast<int>(delta < 32 ? delta : 32);
  return source_or_own(mask, source, source >= own / width * width);
}
__device__ inline int shfl_down_source(unsigned mask, unsigned delta, int width) {
  const int own = static_cast<int>(lane_in_warp());
  const int source = own + static_cast<int>(delta < 32 ? delta : 32);
  return source_or_own(mask, source, source < own / width * width + width);
}
// Segments before a lane's own are within reach of its exclusive or, those behind it are not.
__device__ inline int shfl_xor_source(unsigned mask, int bits, int width) {
  const int own = static_cast<int>(lane_in_warp());
  const int source = own ^ (bits & 31);
  return source_or_own(mask, source, source < own / width * width + width);
}

}  // namespace cladpy

#if defined(__HIP__) && !defined(CLADPY_HOST_H)
#include <cladpy/hip/warp.h>
#endif

namespace cladpy {

// `__match_all_sync` without its second result, which says no more than whether the first is zero.
template <class T>
__device__ inline unsigned match_all(unsigned mask, T value) {
  int same = 0;
  return __match_all_sync(mask, value, &same);
}

// What a thread counts down from: the largest count of those of its warp that are here together, where the GPU finds that
// by one instruction; else that of the warp, if it is here as a whole, or the thread's own.
template <class T>
__device__ inline T in_step(T count) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(CLADPY_HOST_H)
  // what does not fit is no larger than the largest that does, and each counts from its own at least
  const int own = count > T(0x7fffffff) ? 0x7fffffff : count > T(0) ? static_cast<int>(count) : 0;
  const T most = static_cast<T>(__reduce_max_sync(__activemask(), own));
  if (most > count) count = most;
#elif defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H)
  if (__activemask() == 0xffffffffu) {
    for (int bits = 16; bits > 0; bits /= 2) {
      const T other = __shfl_xor_sync(0xffffffffu, count, bits);
      if (other > count) count = other;
    }
  }
#endif
  return count;
}

// Raises `most`, which threads of many blocks share, to the largest of their counts: for the lanes that are here one does
// so, and only where it is not as large.
__device__ inline void raise_to(unsigned long long *most, unsigned long long count) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(CLADPY_HOST_H)
  const unsigned lanes = __activemask();
  const unsigned high = __reduce_max_sync(lanes, static_cast<unsigned>(count >> 32));
  const unsigned low = __reduce_max_sync(lanes, count >> 32 == high ? static_cast<unsigned>(count) : 0u);
  count = static_cast<unsigned long long>(high) << 32 | low;
  if (lane_in_warp() != static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1) return;
#endif
  // it only grows: what is read too early is no larger than it is
  if (count > *static_cast<volatile unsigned long long *>(most)) atomicMax(most, count);
}

#if defined(CLADPY_HOST_H) && !defined(CLADPY_HOST_FIBERS)
// Over workers a lane waits once for all others, whatever is made of what they have.
inline long largest(unsigned mask, long count) { return host::largest_of_lanes(mask & warp_lanes(), count); }
template <class T>
inline T warp_sum(unsigned mask, T value, int width = 32) {
  return host::sum_of_lanes(mask & warp_lanes(), value, width);
}
template <class T>
inline T scattered(unsigned mask, T adjoint, int source) {
  return host::sum_of_readers(mask, adjoint, source);
}
#else
// The largest count of all lanes.
__device__ inline long largest(unsigned mask, long count) {
  mask &= warp_lanes();
  long most = count;
  if (mask == 0xffffffffu) {
    for (int bits = 16; bits > 0; bits /= 2) {
      const long other = __shfl_xor_sync(mask, most, bits);
      if (other > most) most = other;
    }
    return most;
  }
  for (unsigned rest = mask; rest; rest &= rest - 1) {
    const long other = __shfl_sync(mask, count, __ffs(static_cast<int>(rest)) - 1);
    if (other > most) most = other;
  }
  return most;
}

// The sum over the lanes of each segment of `width` lanes.
template <class T>
__device__ inline T warp_sum(unsigned mask, T value, int width = 32) {
  mask &= warp_lanes();
  if (mask == 0xffffffffu) {
    for (int bits = width / 2; bits > 0; bits /= 2) value += __shfl_xor_sync(mask, value, bits);
    return value;
  }
  const int segment = static_cast<int>(lane_in_warp()) / width;
  T sum = T(0);
  for (unsigned rest = mask; rest; rest &= rest - 1) {
    const int lane = __ffs(static_cast<int>(rest)) - 1;
    const T other = __shfl_sync(mask, value, lane);
    if (lane / width == segment) sum += other;
  }
  return sum;
}

// Adds up, in each lane, the adjoints of the lanes that read it: each says in `source` which it reads. A vote for each bit
// of that tells a lane its readers; there are as many turns as the lane has that most read, one where they are permuted.
template <class T>
__device__ inline T scattered(unsigned mask, T adjoint, int source) {
  const int own = static_cast<int>(lane_in_warp());
  unsigned readers = mask;
  for (int bit = 0; bit < 5; ++bit) {
    const unsigned set = __ballot_sync(mask, source >> bit & 1);
    readers &= own >> bit & 1 ? set : ~set;
  }
  T sum = T(0);
  while (__any_sync(mask, readers != 0)) {
    const T other = __shfl_sync(mask, adjoint, readers ? __ffs(static_cast<int>(readers)) - 1 : own);
    if (readers) sum += other;
    readers &= readers - 1;
  }
  return sum;
}
#endif

// ---- adjoints ---------------------------------------------------------------------------------------------------------
// What all lanes ask in the same way: the same distance, the same lane.

template <class T>
__device__ inline T shfl_adjoint(unsigned mask, T adjoint, int lane, int width = 32) {
  mask &= warp_lanes();
  const int own = static_cast<int>(lane_in_warp());
  const T sum = warp_sum(mask, adjoint, width);
  const int source = own / width * width + (lane & (width - 1));
  if (!has_lane(mask, source)) return adjoint;
  return own == source ? sum : T(0);
}

template <class T>
__device__ inline T shfl_up_adjoint(unsigned mask, T adjoint, unsigned delta, int width = 32) {
  mask &= warp_lanes();
  const int own = static_cast<int>(lane_in_warp());
  const T other = __shfl_down_sync(mask, adjoint, delta, width);
  const int reader = own + static_cast<int>(delta < 32 ? delta : 32);
  const bool read = delta && reader < own / width * width + width && has_lane(mask, reader);
  return (shfl_up_source(mask, delta, width) == own ? adjoint : T(0)) + (read ? other : T(0));
}

template <class T>
__device__ inline T shfl_down_adjoint(unsigned mask, T adjoint, unsigned delta, int width = 32) {
  mask &= warp_lanes();
  const int own = static_cast<int>(lane_in_warp());
  const T other = __shfl_up_sync(mask, adjoint, delta, width);
  const int reader = own - static_cast<int>(delta < 32 ? delta : 32);
  const bool read = delta && reader >= own / width * width && has_lane(mask, reader);
  return (shfl_down_source(mask, delta, width) == own ? adjoint : T(0)) + (read ? other : T(0));
}

template <class T>
__device__ inline T shfl_xor_adjoint(unsigned mask, T adjoint, int bits, int width = 32) {
  mask &= warp_lanes();
  if ((bits & 31) >= width) return scattered(mask, adjoint, shfl_xor_source(mask, bits, width));
  const T other = __shfl_xor_sync(mask, adjoint, bits, width);
  return shfl_xor_source(mask, bits, width) == static_cast<int>(lane_in_warp()) ? adjoint : other;
}

// What each lane asks in its own way.

template <class T>
__device__ inline T shfl_adjoint_of_any(unsigned mask, T adjoint, int lane, int width = 32) {
  mask &= warp_lanes();
  return scattered(mask, adjoint, shfl_source(mask, lane, width));
}
template <class T>
__device__ inline T shfl_up_adjoint_of_any(unsigned mask, T adjoint, unsigned delta, int width = 32) {
  mask &= warp_lanes();
  return scattered(mask, adjoint, shfl_up_source(mask, delta, width));
}
template <class T>
__device__ inline T shfl_down_adjoint_of_any(unsigned mask, T adjoint, unsigned delta, int width = 32) {
  mask &= warp_lanes();
  return scattered(mask, adjoint, shfl_down_source(mask, delta, width));
}
template <class T>
__device__ inline T shfl_xor_adjoint_of_any(unsigned mask, T adjoint, int bits, int width = 32) {
  mask &= warp_lanes();
  return scattered(mask, adjoint, shfl_xor_source(mask, bits, width));
}

}  // namespace cladpy
