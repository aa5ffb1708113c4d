// Additions to numbers of sixteen bits, and shuffles of them, for the host backend.
#ifndef CLADPY_HALF_ATOMICS_H
#define CLADPY_HALF_ATOMICS_H

#define CLADPY_HALF_ATOMIC(T, sum)                                                                                     \
  CLADPY_HOST_UNWATCHED inline T atomicAdd(T *address, T value) {                                                      \
    return cladpy::host::replace(address, [value](T old) CLADPY_HOST_UNWATCHED { return sum(old, value); }, false);     \
  }
CLADPY_HALF_ATOMIC(__half, __hadd)
CLADPY_HALF_ATOMIC(__half2, __hadd2)
CLADPY_HALF_ATOMIC(__nv_bfloat16, __hadd)
CLADPY_HALF_ATOMIC(__nv_bfloat162, __hadd2)
#undef CLADPY_HALF_ATOMIC

CLADPY_HOST_SHUFFLES(__half)
CLADPY_HOST_SHUFFLES(__half2)
CLADPY_HOST_SHUFFLES(__nv_bfloat16)
CLADPY_HOST_SHUFFLES(__nv_bfloat162)

#endif
