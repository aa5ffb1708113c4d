// Stands for clang's __clang_cuda_builtin_vars.h, whose properties hide which component is read.
#ifndef __CUDA_BUILTIN_VARS_H
#define __CUDA_BUILTIN_VARS_H
struct uint3;
struct dim3;
#define CLADPY_BUILTIN(name)                                                                                           \
  struct __cuda_builtin_##name##_t {                                                                                   \
    unsigned int x, y, z;                                                                                              \
    __attribute__((device)) operator dim3() const;                                                                     \
    __attribute__((device)) operator uint3() const;                                                                    \
  };                                                                                                                   \
  extern const __attribute__((device)) __attribute__((weak)) __cuda_builtin_##name##_t name;
CLADPY_BUILTIN(threadIdx)
CLADPY_BUILTIN(blockIdx)
CLADPY_BUILTIN(blockDim)
CLADPY_BUILTIN(gridDim)
#undef CLADPY_BUILTIN
#ifdef CLADPY_WARP_SIZE  // what emitted code makes of it
__attribute__((device)) const int warpSize = CLADPY_WARP_SIZE;
#else
extern const __attribute__((device)) __attribute__((weak)) int warpSize;
#endif
#endif
