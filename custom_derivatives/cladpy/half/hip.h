// CUDA's numbers of sixteen bits for HIP: its own __half, with the functions that it lacks, and __nv_bfloat16 as software.
#ifndef CLADPY_HALF_HIP_H
#define CLADPY_HALF_HIP_H

#include <hip/hip_runtime.h>

#include <hip/hip_fp16.h>

#include <cladpy/support.h>

#include <type_traits>

#include "bfloat16.h"
#include "update.h"

#if HIP_VERSION < 50300000
// `hrcp` calls it, and nothing defines it.
extern "C" __device__ inline _Float16 __llvm_amdgcn_rcp_f16(_Float16 x) { return __builtin_amdgcn_rcph(x); }
#endif

// Templates, so that HIP's own functions, where a newer version has them, are the ones that are called.
#define CLADPY_HIP template <int = 0> __host__ __device__ inline
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
template <int = 0> __device__ inline __half __hadd_rn(const __half a, const __half b) {
  return cladpy_half_of(cladpy::half::sum_to_odd(__half2float(a), __half2float(b)));
}
template <int = 0> __device__ inline __half __hsub_rn(const __half a, const __half b) {
  return cladpy_half_of(cladpy::half::sum_to_odd(__half2float(a), -__half2float(b)));
}
template <int = 0> __device__ inline __half __hmul_rn(const __half a, const __half b) {
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
template <int = 0> __device__ inline __half __hfma_relu(const __half a, const __half b, const __half c) {
  const double sum = cladpy::half::sum_to_odd(static_cast<double>(__half2float(a)) * __half2float(b), __half2float(c));
  return cladpy_half_of(sum < 0.0 ? 0.0 : sum);
}
template <int = 0> __device__ inline __half htanh(const __half a) { return cladpy_half_of(::tanh(static_cast<double>(__half2float(a)))); }
template <int = 0> __device__ inline __half htanh_approx(const __half a) { return htanh(a); }

// What the lanes of an addition meet at is the word that the number lies in.
template <class T, class = std::enable_if_t<std::is_same<T, __half>::value || std::is_same<T, __nv_bfloat16>::value>>
__device__ inline T atomicAdd(T *address, T value) {
  return cladpy::half::update(address, [value](T old) { return __hadd(old, value); });
}

#undef CLADPY_HIP
#undef CLADPY_HIP_NUMBERS

#endif
