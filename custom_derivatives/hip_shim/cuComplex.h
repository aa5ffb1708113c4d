// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_CUCOMPLEX_H
#define CLADPY_HIP_SHIM_CUCOMPLEX_H

#include <hip/hip_runtime.h>

#include <cladpy/complex.h>

#endif
