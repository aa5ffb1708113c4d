// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_MATH_CONSTANTS_H
#define CLADPY_HIP_SHIM_MATH_CONSTANTS_H

#include "cuda_runtime.h"

#include <cladpy/constants.h>

#endif
