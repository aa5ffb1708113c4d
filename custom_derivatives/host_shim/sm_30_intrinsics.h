// CUDA's header of this name, for the host backend.
#ifndef CLADPY_HOST_SHIM_SM_30_INTRINSICS_H
#define CLADPY_HOST_SHIM_SM_30_INTRINSICS_H

#include <cladpy/host.h>

#endif
