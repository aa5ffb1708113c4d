// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_DEVICE_LAUNCH_PARAMETERS_H
#define CLADPY_HIP_SHIM_DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif
