// What copies that threads wait for later come to: they are made at once, which they may be, element by element, by the
// threads of a group in turns.
#ifndef CLADPY_ASYNC_COPIES_H
#define CLADPY_ASYNC_COPIES_H

#include <cuda_runtime.h>

namespace cuda {
namespace copies {

// Elements are copied whole: where the bytes are no number of these, there is no answer.
template <class T>
__device__ inline void made(T *to, const T *from, decltype(sizeof 0) bytes, unsigned rank = 0, unsigned threads = 1) {
  if (bytes % sizeof(T) != 0) __trap();
  for (unsigned k = rank; k < bytes / sizeof(T); k += threads) to[k] = from[k];
}

}  // namespace copies
}  // namespace cuda

#endif
