// Atomic changes of numbers of sixteen bits, for which devices have no instructions.
#ifndef CLADPY_HALF_UPDATE_H
#define CLADPY_HALF_UPDATE_H

#include <cstring>

namespace cladpy {
namespace half {

// Replaces an element by what is made of it, in one step: by the word that it lies in. What it held before.
template <class T, class Make>
#ifdef CLADPY_HOST_H
CLADPY_HOST_UNWATCHED
#endif
__device__ inline T update(T *cell, Make make) {
#ifdef CLADPY_HOST_H
  return host::replace(cell, make, false);
#else
  const unsigned long long address = reinterpret_cast<unsigned long long>(cell);
  unsigned *const word = reinterpret_cast<unsigned *>(address & ~3ULL);
  const unsigned shift = address & 2 ? 16 : 0;
  unsigned seen = *word, expected;
  T old;
  do {
    expected = seen;
    const unsigned short before = static_cast<unsigned short>(expected >> shift);
    memcpy(static_cast<void *>(&old), &before, sizeof old);
    const T made = make(old);
    unsigned short after;
    memcpy(&after, &made, sizeof after);
    seen = atomicCAS(word, expected, (expected & ~(0xffffu << shift)) | static_cast<unsigned>(after) << shift);
  } while (seen != expected);
  return old;
#endif
}

}  // namespace half
}  // namespace cladpy

#endif
