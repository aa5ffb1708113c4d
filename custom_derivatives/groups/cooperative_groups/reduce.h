// Reductions over the threads of a group: see <cooperative_groups.h>.
#ifndef _COOPERATIVE_GROUPS_REDUCE_H
#define _COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned Size, class Parent, class T, class Operator>
__device__ inline T reduce(const thread_block_tile<Size, Parent> &tile, T value, Operator combine) {
  for (unsigned bits = Size / 2; bits > 0; bits /= 2) value = combine(value, tile.shfl_xor(value, bits));
  return value;
}

template <class T, class Operator>
__device__ inline T reduce(const coalesced_group &group, T value, Operator combine) {
  const unsigned count = group.size();
  T total = group.shfl(value, 0);
  for (unsigned rank = 1; rank < count; ++rank) total = combine(total, group.shfl(value, (int)rank));
  return total;
}

}  // namespace cooperative_groups

#endif
