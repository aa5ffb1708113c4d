// __nv_bfloat16 and __nv_bfloat162 as software, with CUDA's functions; `__half` must be there.
#ifndef CLADPY_HALF_BFLOAT16_H
#define CLADPY_HALF_BFLOAT16_H

#include "rounding.h"

#define CLADPY_HALF __nv_bfloat16
#define CLADPY_OTHER __half
#define CLADPY_PAIR __nv_bfloat162
#define CLADPY_RAW __nv_bfloat16_raw
#define CLADPY_RAW_PAIR __nv_bfloat162_raw
#define CLADPY_TOKEN bfloat16
#define CLADPY_PAIR_TOKEN bfloat162
#define CLADPY_FORMAT cladpy::half::format<8, 7>
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define CLADPY_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define CLADPY_NO_OPERATORS
#endif
#include "functions.h"
#undef CLADPY_HALF
#undef CLADPY_OTHER
#undef CLADPY_PAIR
#undef CLADPY_RAW
#undef CLADPY_RAW_PAIR
#undef CLADPY_TOKEN
#undef CLADPY_PAIR_TOKEN
#undef CLADPY_FORMAT
#undef CLADPY_NO_CONVERSIONS
#undef CLADPY_NO_OPERATORS

#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
inline __host__ __device__ __nv_bfloat16::__nv_bfloat16(__half value)
    : __x(__nv_bfloat16_raw(__float2bfloat16_rn(__half2float(value))).x) {}
#endif

#if !defined(CUDA_NO_BFLOAT16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#endif
