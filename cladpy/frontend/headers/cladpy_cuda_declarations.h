// Declarations of CUDA C++ for the front end: what a parser has to know where no CUDA headers are read.
//
// Nothing here is compiled to code. Overloads are those that nvcc offers beside libstdc++, because they decide in
// which precision a call is computed: mixed arguments go through the promoting templates at the end of the math part.
#ifndef CLADPY_CUDA_DECLARATIONS_H
#define CLADPY_CUDA_DECLARATIONS_H

#ifndef __HIP__  // whose compiler is what a program is read for then
#define __CUDACC__ 1
#define __NVCC__ 1
#define CUDART_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI

typedef decltype(sizeof(0)) cladpy_size_t;
// What CUDA's own headers bring along from the C library.
typedef decltype(sizeof(0)) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#include "cladpy_vector_types.h"

// ---- built-in variables ---------------------------------------------------------------------------------------------
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
#ifdef CLADPY_WARP_SIZE  // what emitted code makes of it
const __device__ int warpSize = CLADPY_WARP_SIZE;
#else
extern const __device__ int warpSize;
#endif

#include "cladpy_math_declarations.h"
#include "cladpy_device_declarations.h"
#include "cladpy_simd_declarations.h"
#include "cladpy_runtime_declarations.h"

#endif
