// CUDA's header of this name, for the host backend.
#ifndef CLADPY_HOST_SHIM_CUDA_BF16_H
#define CLADPY_HOST_SHIM_CUDA_BF16_H

#include <cladpy/host.h>
#include <cladpy/half/types.h>
#include <cladpy/half/atomics.h>

#endif
