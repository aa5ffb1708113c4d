// __half and __nv_bfloat16 with CUDA's functions, for the host backend and for the front end, which then needs no CUDA
// headers. One header for both: each type has a constructor from the other.
#ifndef CLADPY_HALF_TYPES_H
#define CLADPY_HALF_TYPES_H

#include "rounding.h"

struct __nv_bfloat16;

#define CLADPY_HALF __half
#define CLADPY_OTHER __nv_bfloat16
#define CLADPY_PAIR __half2
#define CLADPY_RAW __half_raw
#define CLADPY_RAW_PAIR __half2_raw
#define CLADPY_TOKEN half
#define CLADPY_PAIR_TOKEN half2
#define CLADPY_FORMAT cladpy::half::format<5, 10>
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define CLADPY_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
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

#include "bfloat16.h"

#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
inline __host__ __device__ __half::__half(__nv_bfloat16 value)
    : __x(__half_raw(__float2half_rn(__bfloat162float(value))).x) {}
#endif

#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#endif
