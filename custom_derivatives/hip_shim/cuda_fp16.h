// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_CUDA_FP16_H
#define CLADPY_HIP_SHIM_CUDA_FP16_H

#include <cladpy/half/hip.h>

#endif
