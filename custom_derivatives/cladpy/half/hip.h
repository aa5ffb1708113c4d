// CUDA's numbers of sixteen bits for HIP: its own __half, with the functions that it lacks, and __nv_bfloat16 as software.
#ifndef CLADPY_HALF_HIP_H
#define CLADPY_HALF_HIP_H

#include <hip/hip_runtime.h>

#include <hip/hip_fp16.h>

#include "bfloat16.h"

#define CLADPY_HIP __host__ __device__ inline
#define CLADPY_HIP_NUMBERS cladpy::half::format<5, 10>
CLADPY_HIP __half cladpy_half_of(double x) {
  return cladpy::half::bits_as<__half>(CLADPY_HIP_NUMBERS::narrow(x));
}
CLADPY_HIP __half __double2half(const double a) { return cladpy_half_of(a); }
CLADPY_HIP signed char __half2char_rz(const __half a) {
  return cladpy::half::to_integer<signed char>(__half2float(a), cladpy::half::to_zero, -128, 127, 0);
}
CLADPY_HIP unsigned char __half2uchar_rz(const __half a) {
  return cladpy::half::to_integer<unsigned char>(__half2float(a), cladpy::half::to_zero, 0, 255, 0);
}
// the compiler contracts what is written as an operator only
__device__ inline __half __hadd_rn(const __half a, const __half b) {
  return cladpy_half_of(cladpy::half::sum_to_odd(__half2float(a), __half2float(b)));
}
__device__ inline __half __hsub_rn(const __half a, const __half b) {
  return cladpy_half_of(cladpy::half::sum_to_odd(__half2float(a), -__half2float(b)));
}
__device__ inline __half __hmul_rn(const __half a, const __half b) {
  return cladpy_half_of(static_cast<double>(__half2float(a)) * __half2float(b));
}
CLADPY_HIP __half cladpy_half_larger(const __half x, const __half y, bool none) {
  const float a = __half2float(x), b = __half2float(y);
  if (a != a || b != b) return none ? cladpy_half_of(a + b) : a != a ? y : x;
  return a > b || (a == b && !__builtin_signbit(a)) ? x : y;
}
CLADPY_HIP __half cladpy_half_smaller(const __half x, const __half y, bool none) {
  const float a = __half2float(x), b = __half2float(y);
  if (a != a || b != b) return none ? cladpy_half_of(a + b) : a != a ? y : x;
  return a < b || (a == b && __builtin_signbit(a)) ? x : y;
}
CLADPY_HIP __half __hmax(const __half a, const __half b) { return cladpy_half_larger(a, b, false); }
CLADPY_HIP __half __hmin(const __half a, const __half b) { return cladpy_half_smaller(a, b, false); }
CLADPY_HIP __half __hmax_nan(const __half a, const __half b) { return cladpy_half_larger(a, b, true); }
CLADPY_HIP __half __hmin_nan(const __half a, const __half b) { return cladpy_half_smaller(a, b, true); }
__device__ inline __half __hfma_relu(const __half a, const __half b, const __half c) {
  const double sum = cladpy::half::sum_to_odd(static_cast<double>(__half2float(a)) * __half2float(b), __half2float(c));
  return cladpy_half_of(sum < 0.0 ? 0.0 : sum);
}
__device__ inline __half htanh(const __half a) { return cladpy_half_of(::tanh(static_cast<double>(__half2float(a)))); }
__device__ inline __half htanh_approx(const __half a) { return htanh(a); }
CLADPY_HIP __half2 make_half2(const __half x, const __half y) { return __half2{x, y}; }

// What is stored and loaded past the caches, of what HIP has no overloads for.
#define CLADPY_HIP_STORES(T)                                                                                           \
  __device__ inline void __stwb(T *address, T value) { *address = value; }                                             \
  __device__ inline void __stcg(T *address, T value) { *address = value; }                                             \
  __device__ inline void __stcs(T *address, T value) { *address = value; }                                             \
  __device__ inline void __stwt(T *address, T value) { *address = value; }                                             \
  __device__ inline T __ldlu(const T *address) { return *address; }                                                    \
  __device__ inline T __ldcv(const T *address) { return *address; }
#define CLADPY_HIP_LOADS(T)                                                                                            \
  __device__ inline T __ldg(const T *address) { return *address; }                                                     \
  __device__ inline T __ldca(const T *address) { return *address; }                                                    \
  __device__ inline T __ldcg(const T *address) { return *address; }                                                    \
  __device__ inline T __ldcs(const T *address) { return *address; }
CLADPY_HIP_STORES(__half)
CLADPY_HIP_STORES(__half2)
CLADPY_HIP_STORES(__nv_bfloat16)
CLADPY_HIP_STORES(__nv_bfloat162)
CLADPY_HIP_LOADS(__nv_bfloat16)
CLADPY_HIP_LOADS(__nv_bfloat162)
#undef CLADPY_HIP_STORES
#undef CLADPY_HIP_LOADS

#undef CLADPY_HIP
#undef CLADPY_HIP_NUMBERS

#endif
