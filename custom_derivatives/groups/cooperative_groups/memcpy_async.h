// Copies that a group makes together: see <cooperative_groups.h>. They are made at once, which they may be.
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

#include "../async_copies.h"

namespace cooperative_groups {

template <class Group, class T>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from, decltype(sizeof 0) bytes) {
  cuda::copies::made(to, from, bytes, group.thread_rank(), group.size());
}
template <class Group, class T>
__device__ inline void memcpy_async(const Group &group, T *to, decltype(sizeof 0) places, const T *from,
                                    decltype(sizeof 0) elements) {
  memcpy_async(group, to, from, (elements < places ? elements : places) * sizeof(T));
}
template <class Group>
__device__ inline void wait(const Group &group) {
  group.sync();
}
template <unsigned Later, class Group>
__device__ inline void wait_prior(const Group &group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif
