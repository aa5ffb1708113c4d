// CUDA's keywords for a host compiler. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_KEYWORDS_H
#define CLADPY_HOST_KEYWORDS_H

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

#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
// What the front end takes, so that both see the same arm of `#if __CUDA_ARCH__`.
#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_LIST__ 900
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

// One copy per shared library, reached without indirection.
#if defined(__ELF__)
#define CLADPY_HOST_HIDDEN __attribute__((visibility("hidden")))
#else
#define CLADPY_HOST_HIDDEN
#endif

#endif
