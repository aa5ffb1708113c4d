// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_DEVICE_FUNCTIONS_H
#define CLADPY_HIP_SHIM_DEVICE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
