// CUDA C++ as plain C++17: kernels compile with an ordinary host compiler and run on the CPU.
//
// Include this before the CUDA source (the host backend does it by -include). A thread of a block that waits is a fiber, so
// barriers and warp operations behave as on a device; `cladpy::host::launch` takes the place of `<<<...>>>`.
//
//   cladpy::host::launch(grid, block, shared_bytes, stream, [&] { kernel(arguments...); });
//
// Blocks run on all cores (CLADPY_HOST_THREADS says on how many), or with the macro CLADPY_HOST_FIBERS one after another.
// Limits: kernels run to their end one after another. A thread that waits for another of its block by atomics gets on in
// the end; one that waits by reading memory does not.
#ifndef CLADPY_HOST_H
#define CLADPY_HOST_H

#include "host/elementary.h"

// The C++ library comes first, before any macro of CUDA is defined. It is the same whichever way kernels run, since a
// program may ask for what it defines.
#include <cassert>
#include <cfenv>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "host/own_functions.h"

#include "host/keywords.h"

#include "host/vector_types.h"

#include "host/errors.h"

#include "host/fiber.h"

#include "host/order.h"

#include "host/shared_memory.h"

#include "host/sanitizer.h"

#include "host/workers.h"

#include "host/sums.h"

#include "host/scattered.h"

#include "host/scheduler.h"

#include "host/injection.h"

#include "host/allocations.h"

#include "host/guards.h"

#include "host/launch.h"

#include "host/races.h"

#include "host/barriers.h"

#include "host/warp.h"

#include "host/phases.h"

#include "host/atomics.h"

#include "host/special.h"

#include "host/assembly.h"

#include "host/math.h"

#include "host/integer.h"

#define CLADPY_SIMD inline
#include "simd.h"

#include "host/rounding.h"

#include "host/runtime_memory.h"

#include "host/runtime_api.h"

#endif
