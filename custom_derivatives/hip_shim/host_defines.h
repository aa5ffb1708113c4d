// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_HOST_DEFINES_H
#define CLADPY_HIP_SHIM_HOST_DEFINES_H

#include "cuda_runtime.h"

#endif
