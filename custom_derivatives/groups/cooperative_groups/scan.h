// Scans over the threads of a group: see <cooperative_groups.h>.
#ifndef _COOPERATIVE_GROUPS_SCAN_H
#define _COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {

template <unsigned Size, class Parent, class T, class Operator>
__device__ inline T inclusive_scan(const thread_block_tile<Size, Parent> &tile, T value, Operator combine) {
  for (unsigned delta = 1; delta < Size; delta *= 2) {
    const T other = tile.shfl_up(value, delta);
    if (tile.thread_rank() >= delta) value = combine(other, value);
  }
  return value;
}
template <unsigned Size, class Parent, class T>
__device__ inline T inclusive_scan(const thread_block_tile<Size, Parent> &tile, T value) {
  return inclusive_scan(tile, value, plus<T>());
}

template <unsigned Size, class Parent, class T, class Operator>
__device__ inline T exclusive_scan(const thread_block_tile<Size, Parent> &tile, T value, Operator combine) {
  const T before = tile.shfl_up(inclusive_scan(tile, value, combine), 1);
  return tile.thread_rank() == 0 ? T() : before;
}
template <unsigned Size, class Parent, class T>
__device__ inline T exclusive_scan(const thread_block_tile<Size, Parent> &tile, T value) {
  return exclusive_scan(tile, value, plus<T>());
}

}  // namespace cooperative_groups

#endif
