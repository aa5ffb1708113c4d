// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_DRIVER_TYPES_H
#define CLADPY_HIP_SHIM_DRIVER_TYPES_H

#include "cuda_runtime.h"

#endif
