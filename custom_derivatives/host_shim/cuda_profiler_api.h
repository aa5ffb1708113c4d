// CUDA's header of this name, for the host backend.
#ifndef CLADPY_HOST_SHIM_CUDA_PROFILER_API_H
#define CLADPY_HOST_SHIM_CUDA_PROFILER_API_H

#include <cladpy/host.h>

#endif
