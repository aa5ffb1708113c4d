// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_CUDA_BF16_H
#define CLADPY_HIP_SHIM_CUDA_BF16_H

#include <cladpy/half/hip.h>

#endif
