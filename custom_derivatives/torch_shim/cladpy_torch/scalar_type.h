// Types of numbers as PyTorch names them.
#ifndef CLADPY_TORCH_SCALAR_TYPE_H
#define CLADPY_TORCH_SCALAR_TYPE_H

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdexcept>

// Halves compute as floats, and become halves where they are kept.
#define CLADPY_TORCH_HALF(Name, Held, widened, narrowed)                                                               \
  struct Name {                                                                                                        \
    Held x;                                                                                                            \
    Name() = default;                                                                                                  \
    __host__ __device__ Name(float value) : x(narrowed(value)) {}                                                      \
    __host__ __device__ Name(Held value) : x(value) {}                                                                 \
    __host__ __device__ operator float() const { return widened(x); }                                                  \
    __host__ __device__ operator Held() const { return x; }                                                            \
    __host__ __device__ Name &operator+=(float other) { return *this = Name(widened(x) + other); }                     \
    __host__ __device__ Name &operator-=(float other) { return *this = Name(widened(x) - other); }                     \
    __host__ __device__ Name &operator*=(float other) { return *this = Name(widened(x) * other); }                     \
    __host__ __device__ Name &operator/=(float other) { return *this = Name(widened(x) / other); }                     \
  };                                                                                                                   \
  CLADPY_TORCH_COMPUTED(Name)
#define CLADPY_TORCH_COMPUTED(Name)                                                                                    \
  __host__ __device__ inline Name operator-(Name a) { return Name(-float(a)); }                                        \
  CLADPY_TORCH_MIXED(Name, +)                                                                                          \
  CLADPY_TORCH_MIXED(Name, -)                                                                                          \
  CLADPY_TORCH_MIXED(Name, *)                                                                                          \
  CLADPY_TORCH_MIXED(Name, /)                                                                                          \
  CLADPY_TORCH_COMPARED(Name, <)                                                                                       \
  CLADPY_TORCH_COMPARED(Name, >)                                                                                       \
  CLADPY_TORCH_COMPARED(Name, <=)                                                                                      \
  CLADPY_TORCH_COMPARED(Name, >=)                                                                                      \
  CLADPY_TORCH_COMPARED(Name, ==)                                                                                      \
  CLADPY_TORCH_COMPARED(Name, !=)
#define CLADPY_TORCH_MIXED(Name, op)                                                                                   \
  __host__ __device__ inline Name operator op(Name a, Name b) { return Name(float(a) op float(b)); }                   \
  __host__ __device__ inline float operator op(Name a, float b) { return float(a) op b; }                              \
  __host__ __device__ inline float operator op(float a, Name b) { return a op float(b); }                              \
  __host__ __device__ inline double operator op(Name a, double b) { return float(a) op b; }                            \
  __host__ __device__ inline double operator op(double a, Name b) { return a op float(b); }                            \
  __host__ __device__ inline Name operator op(Name a, int b) { return a op Name(float(b)); }                           \
  __host__ __device__ inline Name operator op(int a, Name b) { return Name(float(a)) op b; }                           \
  __host__ __device__ inline Name operator op(Name a, int64_t b) { return a op Name(float(b)); }                       \
  __host__ __device__ inline Name operator op(int64_t a, Name b) { return Name(float(a)) op b; }
#define CLADPY_TORCH_COMPARED(Name, op)                                                                                \
  __host__ __device__ inline bool operator op(Name a, Name b) { return float(a) op float(b); }                         \
  __host__ __device__ inline bool operator op(Name a, float b) { return float(a) op b; }                               \
  __host__ __device__ inline bool operator op(float a, Name b) { return a op float(b); }                               \
  __host__ __device__ inline bool operator op(Name a, double b) { return float(a) op b; }                              \
  __host__ __device__ inline bool operator op(double a, Name b) { return a op float(b); }                              \
  __host__ __device__ inline bool operator op(Name a, int b) { return float(a) op b; }                                 \
  __host__ __device__ inline bool operator op(int a, Name b) { return a op float(b); }
#define CLADPY_TORCH_ASSIGNED(Name, op)                                                                                \
  __host__ __device__ inline Name &operator op##=(Name &a, float b) { return a = Name(float(a) op b); }
#define CLADPY_TORCH_CALLED(Name, function, single)                                                                    \
  __host__ __device__ inline float function(Name x) { return single(float(x)); }

#ifdef CLADPY_TORCH_PLAIN_HALVES  // CUDA's own types, in whose memory tensors are, with PyTorch's operators in place of CUDA's
#define CLADPY_TORCH_OWN(Name)                                                                                         \
  CLADPY_TORCH_COMPUTED(Name)                                                                                          \
  CLADPY_TORCH_ASSIGNED(Name, +)                                                                                       \
  CLADPY_TORCH_ASSIGNED(Name, -)                                                                                       \
  CLADPY_TORCH_ASSIGNED(Name, *)                                                                                       \
  CLADPY_TORCH_ASSIGNED(Name, /)                                                                                       \
  CLADPY_TORCH_CALLED(Name, exp, expf)                                                                                 \
  CLADPY_TORCH_CALLED(Name, log, logf)                                                                                 \
  CLADPY_TORCH_CALLED(Name, sqrt, sqrtf)                                                                               \
  CLADPY_TORCH_CALLED(Name, rsqrt, rsqrtf)                                                                             \
  CLADPY_TORCH_CALLED(Name, tanh, tanhf)                                                                               \
  CLADPY_TORCH_CALLED(Name, sin, sinf)                                                                                 \
  CLADPY_TORCH_CALLED(Name, cos, cosf)                                                                                 \
  CLADPY_TORCH_CALLED(Name, floor, floorf)                                                                             \
  CLADPY_TORCH_CALLED(Name, ceil, ceilf)                                                                               \
  CLADPY_TORCH_CALLED(Name, abs, fabsf)                                                                                \
  CLADPY_TORCH_CALLED(Name, fabs, fabsf)                                                                               \
  __host__ __device__ inline float pow(Name a, float b) { return powf(float(a), b); }
CLADPY_TORCH_OWN(__half)
CLADPY_TORCH_OWN(__nv_bfloat16)
#endif

namespace c10 {

#ifdef CLADPY_TORCH_PLAIN_HALVES
using Half = __half;
using BFloat16 = __nv_bfloat16;
#else
CLADPY_TORCH_HALF(Half, __half, __half2float, __float2half)
CLADPY_TORCH_HALF(BFloat16, __nv_bfloat16, __bfloat162float, __float2bfloat16)
#endif

// In PyTorch's order, whose numbers programs may keep.
enum class ScalarType : int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double,
  ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16, QUInt4x2, QUInt2x4, Bits1x8, Bits2x4,
  Bits4x2, Bits8, Bits16, Float8_e5m2, Float8_e4m3fn, Float8_e5m2fnuz, Float8_e4m3fnuz, UInt16, UInt32, UInt64, Undefined
};

constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char, kShort = ScalarType::Short;
constexpr ScalarType kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half;
constexpr ScalarType kFloat = ScalarType::Float, kDouble = ScalarType::Double, kBool = ScalarType::Bool;
constexpr ScalarType kBFloat16 = ScalarType::BFloat16;
constexpr ScalarType kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong;
constexpr ScalarType kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble;

template <class T> struct CppTypeToScalarType { static constexpr ScalarType value = ScalarType::Undefined; };
template <> struct CppTypeToScalarType<uint8_t> { static constexpr ScalarType value = kByte; };
template <> struct CppTypeToScalarType<int8_t> { static constexpr ScalarType value = kChar; };
template <> struct CppTypeToScalarType<int16_t> { static constexpr ScalarType value = kShort; };
template <> struct CppTypeToScalarType<int> { static constexpr ScalarType value = kInt; };
template <> struct CppTypeToScalarType<long> { static constexpr ScalarType value = kLong; };
template <> struct CppTypeToScalarType<long long> { static constexpr ScalarType value = kLong; };
template <> struct CppTypeToScalarType<Half> { static constexpr ScalarType value = kHalf; };
template <> struct CppTypeToScalarType<BFloat16> { static constexpr ScalarType value = kBFloat16; };
template <> struct CppTypeToScalarType<float> { static constexpr ScalarType value = kFloat; };
template <> struct CppTypeToScalarType<double> { static constexpr ScalarType value = kDouble; };
template <> struct CppTypeToScalarType<bool> { static constexpr ScalarType value = kBool; };

inline int64_t elementSize(ScalarType type) {
  switch (type) {
  case kByte: case kChar: case kBool: return 1;
  case kShort: case kHalf: case kBFloat16: return 2;
  case kInt: case kFloat: return 4;
  case kLong: case kDouble: return 8;
  default: throw std::runtime_error("a tensor of a type that cladpy does not know");
  }
}

inline bool isFloatingType(ScalarType type) {
  return type == kHalf || type == kFloat || type == kDouble || type == kBFloat16;
}

}  // namespace c10

namespace at {
using namespace c10;
}

namespace cladpy_torch {

// What `tensor.dtype()` gives: comparable, and made of, types of numbers.
struct TypeMeta {
  c10::ScalarType type;
  TypeMeta(c10::ScalarType t) : type(t) {}
  operator c10::ScalarType() const { return type; }
  c10::ScalarType toScalarType() const { return type; }
  int64_t itemsize() const { return c10::elementSize(type); }
};
inline bool operator==(const TypeMeta &a, const TypeMeta &b) { return a.type == b.type; }
inline bool operator!=(const TypeMeta &a, const TypeMeta &b) { return a.type != b.type; }
inline bool operator==(const TypeMeta &a, c10::ScalarType b) { return a.type == b; }
inline bool operator!=(const TypeMeta &a, c10::ScalarType b) { return a.type != b; }

}  // namespace cladpy_torch

namespace caffe2 {
using TypeMeta = cladpy_torch::TypeMeta;
}

#endif  // CLADPY_TORCH_SCALAR_TYPE_H
