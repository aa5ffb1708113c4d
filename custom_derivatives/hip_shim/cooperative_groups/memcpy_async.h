// CUDA's header of this name, for HIP.
#ifndef CLADPY_HIP_SHIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define CLADPY_HIP_SHIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cuda_runtime.h"

#include <groups/cooperative_groups/memcpy_async.h>

#endif
