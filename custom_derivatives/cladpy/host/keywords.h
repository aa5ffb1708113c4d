// CUDA's keywords for a host compiler. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_KEYWORDS_H
#define CLADPY_HOST_KEYWORDS_H

// How kernels run. Otherwise than with CLADPY_HOST_FIBERS, blocks run on all cores, and the threads of a block one after the
// other in a loop, until one of them waits (scheduler.h). With it they run on one thread of the operating system in an order
// that can be chosen, each where others can see what it does: races, the sanitizer, and what order hides.
#if !defined(CLADPY_HOST_FIBERS) && (defined(CLADPY_CHECK_RACES) || (defined(__SANITIZE_THREAD__) && !defined(CLADPY_HOST_WORKERS)))
#define CLADPY_HOST_FIBERS
#endif

// One copy per shared library, reached without indirection.
#if defined(__ELF__)
#define CLADPY_HOST_HIDDEN __attribute__((visibility("hidden")))
#else
#define CLADPY_HOST_HIDDEN
#endif

// Whether a kernel is made a part of the loop over threads, with all that it calls.
#if defined(CLADPY_HOST_ONE_UNIT) && !defined(CLADPY_HOST_CALLED)
#define CLADPY_HOST_FLATTEN flatten,
#else
#define CLADPY_HOST_FLATTEN
#endif
// What of the processor it may use beyond the rest of the program: an attribute, with a comma.
#ifndef CLADPY_HOST_TARGET
#define CLADPY_HOST_TARGET
#endif

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __nv_pure__
#define __forceinline__ inline __attribute__((always_inline))
// Empty, since the C++ library writes __attribute__((__noinline__)), which must stay an attribute.
#define __noinline__
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

// Implicitly static in a function, and unlike `static` it may stand beside `extern` (dynamic shared memory) and
// `static`. All threads of a block run on one thread of the operating system, so they share it.
#define __shared__ thread_local

// What each thread of the operating system that runs blocks has for itself. Where a library is one unit it is known to
// have nothing else that could name it: so the built-in variables are registers in a loop over threads.
#if defined(CLADPY_HOST_FIBERS)
#define CLADPY_HOST_OWN CLADPY_HOST_HIDDEN inline
#elif defined(CLADPY_HOST_ONE_UNIT)
#define CLADPY_HOST_OWN static thread_local
#else
#define CLADPY_HOST_OWN CLADPY_HOST_HIDDEN inline thread_local
#endif

#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
// What the front end takes, so that both see the same arm of `#if __CUDA_ARCH__`.
#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_LIST__ 900
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
// Of the headers that nvcc includes by itself: programs ask by these what they may use.
#define __CHANNEL_DESCRIPTOR_H__
#define __COMMON_FUNCTIONS_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __MATH_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__

#endif
