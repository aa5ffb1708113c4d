// What clang looks up where a template launches a kernel; CUDA's own headers declare it for nvcc only.
#include <driver_types.h>
#include <vector_types.h>
cudaError_t cudaConfigureCall(dim3, dim3, decltype(sizeof 0) = 0, cudaStream_t = 0);

// CUDA's headers have these for device code only where clang reads them.
#define CLADPY_SIDES __host__
#include "../cladpy_minmax_declarations.h"
#undef CLADPY_SIDES

// nvcc's own.
#define CLADPY_ATOMIC_ACCESS __device__ inline
#include <cladpy/atomic_accesses.h>
