// Stands for CUDA's header of this name.
#include "cladpy_cuda_declarations.h"

#ifdef CLADPY_CUDART_VERSION  // of the compiler
#define CUDA_VERSION CLADPY_CUDART_VERSION
#else
#define CUDA_VERSION 13000
#endif
