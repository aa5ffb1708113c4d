// CUDA's header of this name, for the host backend.
#ifndef CLADPY_HOST_SHIM_DEVICE_LAUNCH_PARAMETERS_H
#define CLADPY_HOST_SHIM_DEVICE_LAUNCH_PARAMETERS_H

#include <cladpy/host.h>

#endif
