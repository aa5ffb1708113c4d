// Stands for CUDA's header of this name.
#include <cuda_runtime.h>
#include <cladpy/half/types.h>
