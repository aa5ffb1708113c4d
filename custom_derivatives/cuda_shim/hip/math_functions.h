// HIP's header of this name in terms of CUDA.
#ifndef CLADPY_CUDA_SHIM_MATH_FUNCTIONS_H
#define CLADPY_CUDA_SHIM_MATH_FUNCTIONS_H

#include "hip_runtime.h"

#endif
