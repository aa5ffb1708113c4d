// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_CUDA_PIPELINE_PRIMITIVES_H
#define CLADPY_HIP_SHIM_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

#include <groups/cuda_pipeline_primitives.h>

#endif
