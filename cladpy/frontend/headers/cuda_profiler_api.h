// Stands for CUDA's header of this name.
#include "cladpy_cuda_declarations.h"
