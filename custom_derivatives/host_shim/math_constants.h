// CUDA's header of this name, for the host backend.
#ifndef CLADPY_HOST_SHIM_MATH_CONSTANTS_H
#define CLADPY_HOST_SHIM_MATH_CONSTANTS_H

#include <cladpy/host.h>

#include <cladpy/constants.h>

#endif
