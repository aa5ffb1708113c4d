// A body for each type of numbers, of which the one runs that a tensor has.
#ifndef CLADPY_TORCH_DISPATCH_H
#define CLADPY_TORCH_DISPATCH_H

#include "checks.h"
#include "scalar_type.h"
#include "tensor.h"

namespace cladpy_torch {
template <c10::ScalarType> struct NumberOf;
template <> struct NumberOf<c10::ScalarType::Byte> { using type = uint8_t; };
template <> struct NumberOf<c10::ScalarType::Char> { using type = int8_t; };
template <> struct NumberOf<c10::ScalarType::Int> { using type = int; };
template <> struct NumberOf<c10::ScalarType::Long> { using type = int64_t; };
template <> struct NumberOf<c10::ScalarType::Short> { using type = int16_t; };
template <> struct NumberOf<c10::ScalarType::Double> { using type = double; };
template <> struct NumberOf<c10::ScalarType::Float> { using type = float; };
template <> struct NumberOf<c10::ScalarType::Half> { using type = c10::Half; };
template <> struct NumberOf<c10::ScalarType::BFloat16> { using type = c10::BFloat16; };
template <> struct NumberOf<c10::ScalarType::Bool> { using type = bool; };
}  // namespace cladpy_torch

namespace at {
template <class T, bool is_cuda = true> struct AccumulateTypeOf { using type = T; };
template <> struct AccumulateTypeOf<Half, true> { using type = float; };
template <> struct AccumulateTypeOf<BFloat16, true> { using type = float; };
template <class T, bool is_cuda> using acc_type = typename AccumulateTypeOf<T, is_cuda>::type;
template <class T> using opmath_type = typename AccumulateTypeOf<T>::type;
}  // namespace at

#define AT_PRIVATE_CASE_TYPE_USING_HINT(of, hint, ...)                                                                 \
  case of: {                                                                                                           \
    using hint = typename ::cladpy_torch::NumberOf<of>::type;                                                          \
    return __VA_ARGS__();                                                                                              \
  }
#define AT_DISPATCH_CASE(of, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(of, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                                            \
  [&] {                                                                                                                \
    const ::c10::ScalarType cladpy_type = TYPE;                                                                        \
    switch (cladpy_type) {                                                                                             \
      __VA_ARGS__                                                                                                      \
    default:                                                                                                           \
      ::cladpy_torch::failed("not implemented for this type of tensors");                                              \
    }                                                                                                                  \
  }()
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                                                           \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Double, scalar_t, __VA_ARGS__)                                    \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Float, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                                                           \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Byte, scalar_t, __VA_ARGS__)                                      \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Char, scalar_t, __VA_ARGS__)                                      \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Int, scalar_t, __VA_ARGS__)                                       \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Long, scalar_t, __VA_ARGS__)                                      \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Short, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)                                                                   \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Half, scalar_t, __VA_ARGS__)                                      \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::BFloat16, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_INDEX_TYPES(...)                                                                              \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Int, index_t, __VA_ARGS__)                                        \
  AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Long, index_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)                                                                                \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                                                                         \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...)                                                                  \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND(::c10::kHalf, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(T0, ...)                                                                   \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                                         \
  AT_PRIVATE_CASE_TYPE_USING_HINT(T0, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(T0, T1, ...)                                                              \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND(T0, __VA_ARGS__)                                                                 \
  AT_PRIVATE_CASE_TYPE_USING_HINT(T1, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND3(T0, T1, T2, ...)                                                          \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND2(T0, T1, __VA_ARGS__)                                                            \
  AT_PRIVATE_CASE_TYPE_USING_HINT(T2, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND(T0, ...)                                                                        \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                                              \
  AT_PRIVATE_CASE_TYPE_USING_HINT(T0, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND2(T0, T1, ...)                                                                   \
  AT_DISPATCH_CASE_ALL_TYPES_AND(T0, __VA_ARGS__)                                                                      \
  AT_PRIVATE_CASE_TYPE_USING_HINT(T1, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND3(T0, T1, T2, ...)                                                               \
  AT_DISPATCH_CASE_ALL_TYPES_AND2(T0, T1, __VA_ARGS__)                                                                 \
  AT_PRIVATE_CASE_TYPE_USING_HINT(T2, scalar_t, __VA_ARGS__)

// The same with the type that is asked for, and a name for what cannot be done.
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                                                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...)                                                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...)                                                            \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                                                       \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INDEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                                                         \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                                                           \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(T0, TYPE, NAME, ...)                                                            \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND(T0, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(T0, T1, TYPE, NAME, ...)                                                       \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND2(T0, T1, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND3(T0, T1, T2, TYPE, NAME, ...)                                                   \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND3(T0, T1, T2, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(T0, TYPE, NAME, ...)                                                                 \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND(T0, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(T0, T1, TYPE, NAME, ...)                                                            \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND2(T0, T1, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(T0, T1, T2, TYPE, NAME, ...)                                                        \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND3(T0, T1, T2, __VA_ARGS__))

#endif  // CLADPY_TORCH_DISPATCH_H
