// HIP's header of this name in terms of CUDA.
#ifndef CLADPY_CUDA_SHIM_HIP_COOPERATIVE_GROUPS_H
#define CLADPY_CUDA_SHIM_HIP_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

#include <cooperative_groups.h>

#endif
