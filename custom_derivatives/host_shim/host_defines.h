// CUDA's header of this name, for the host backend.
#ifndef CLADPY_HOST_SHIM_HOST_DEFINES_H
#define CLADPY_HOST_SHIM_HOST_DEFINES_H

#include <cladpy/host.h>

#endif
