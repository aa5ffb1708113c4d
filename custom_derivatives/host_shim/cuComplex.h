// CUDA's header of this name, for the host backend.
#ifndef CLADPY_HOST_SHIM_CUCOMPLEX_H
#define CLADPY_HOST_SHIM_CUCOMPLEX_H

#include <cladpy/host.h>

#include <cladpy/complex.h>

#endif
