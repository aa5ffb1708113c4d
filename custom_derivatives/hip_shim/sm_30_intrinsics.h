// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_SM_30_INTRINSICS_H
#define CLADPY_HIP_SHIM_SM_30_INTRINSICS_H

#include "cuda_runtime.h"

#endif
