// HIP's header of this name in terms of CUDA.
#ifndef CLADPY_CUDA_SHIM_HIP_FP16_H
#define CLADPY_CUDA_SHIM_HIP_FP16_H

#include "hip_runtime.h"

#include <cuda_fp16.h>

#endif
