// HIP's header of this name in terms of CUDA.
#ifndef CLADPY_CUDA_SHIM_HIP_VECTOR_TYPES_H
#define CLADPY_CUDA_SHIM_HIP_VECTOR_TYPES_H

#include "hip_runtime.h"

#endif
