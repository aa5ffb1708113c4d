// What tensors compute themselves, each as a kernel: element by element, sums, other types and orders. All are
// templates, so that a program compiles what it calls.
#ifndef CLADPY_TORCH_ARITHMETIC_H
#define CLADPY_TORCH_ARITHMETIC_H

#include "dispatch.h"
#include "tensor.h"
#include <cmath>

namespace cladpy_torch {

constexpr int threads = 256;
inline unsigned int blocks(int64_t n) { return static_cast<unsigned int>((n + threads - 1) / threads); }

// Halves compute as floats.
template <class T> struct Wide { using type = T; };
template <> struct Wide<c10::Half> { using type = float; };
template <> struct Wide<c10::BFloat16> { using type = float; };
template <> struct Wide<bool> { using type = int; };
template <class T> using wide = typename Wide<T>::type;
template <class To, class From> __host__ __device__ To narrowed(From x) {
  return static_cast<To>(static_cast<wide<To>>(x));
}

#define CLADPY_TORCH_BINARY(Name, expression)                                                                          \
  struct Name {                                                                                                        \
    template <class T> static __device__ T of(T a, T b) { return expression; }                                         \
  };
CLADPY_TORCH_BINARY(Plus, a + b)
CLADPY_TORCH_BINARY(Minus, a - b)
CLADPY_TORCH_BINARY(From, b - a)
CLADPY_TORCH_BINARY(Times, a *b)
CLADPY_TORCH_BINARY(Over, a / b)
CLADPY_TORCH_BINARY(Under, b / a)
CLADPY_TORCH_BINARY(Larger, a > b ? a : b)
CLADPY_TORCH_BINARY(Smaller, a < b ? a : b)
CLADPY_TORCH_BINARY(Second, b)
#undef CLADPY_TORCH_BINARY
struct Power {
  static __device__ float of(float a, float b) { return powf(a, b); }
  static __device__ double of(double a, double b) { return pow(a, b); }
};
#define CLADPY_TORCH_UNARY(Name, single, wider)                                                                        \
  struct Name {                                                                                                        \
    static __device__ float of(float a) { return single; }                                                             \
    static __device__ double of(double a) { return wider; }                                                            \
  };
CLADPY_TORCH_UNARY(Exp, expf(a), exp(a))
CLADPY_TORCH_UNARY(Log, logf(a), log(a))
CLADPY_TORCH_UNARY(Sqrt, sqrtf(a), sqrt(a))
CLADPY_TORCH_UNARY(Floor, floorf(a), floor(a))
CLADPY_TORCH_UNARY(Abs, fabsf(a), fabs(a))
CLADPY_TORCH_UNARY(Sin, sinf(a), sin(a))
CLADPY_TORCH_UNARY(Cos, cosf(a), cos(a))
CLADPY_TORCH_UNARY(Tanh, tanhf(a), tanh(a))
CLADPY_TORCH_UNARY(Sigmoid, 1.0f / (1.0f + expf(-a)), 1.0 / (1.0 + exp(-a)))
#undef CLADPY_TORCH_UNARY

// Where an element lies, by its number in the order of a tensor of these sizes, which are counted from the last one.
__host__ __device__ inline int64_t place(int64_t i, const Dimensions &sizes, const Dimensions &strides) {
  int64_t found = 0;
#define CLADPY_TORCH_STEP(K)                                                                                           \
  found += (i % sizes.d##K) * strides.d##K;                                                                            \
  i /= sizes.d##K;
  CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
  return found;
}

#define CLADPY_TORCH_NUMBER int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x

template <class T, class Op> __global__ void binary_kernel(const T *a, const T *b, T *y, int64_t n) {
  CLADPY_TORCH_NUMBER;
  if (i < n) y[i] = narrowed<T>(Op::of(static_cast<wide<T>>(a[i]), static_cast<wide<T>>(b[i])));
}
template <class T, class Op> __global__ void number_kernel(const T *a, wide<T> number, T *y, int64_t n) {
  CLADPY_TORCH_NUMBER;
  if (i < n) y[i] = narrowed<T>(Op::of(static_cast<wide<T>>(a[i]), number));
}
template <class T, class Op> __global__ void unary_kernel(const T *a, T *y, int64_t n) {
  CLADPY_TORCH_NUMBER;
  if (i < n) y[i] = narrowed<T>(Op::of(static_cast<wide<T>>(a[i])));
}
template <class T> __global__ void fill_kernel(T *y, T value, int64_t n) {
  CLADPY_TORCH_NUMBER;
  if (i < n) y[i] = value;
}
template <class From, class To> __global__ void convert_kernel(const From *a, To *y, int64_t n) {
  CLADPY_TORCH_NUMBER;
  if (i < n) y[i] = narrowed<To>(static_cast<wide<From>>(a[i]));
}
template <class T, class Op>
__global__ void spread_kernel(const T *a, const T *b, T *y, int64_t n, Dimensions sizes, Dimensions step_a,
                              Dimensions step_b) {
  CLADPY_TORCH_NUMBER;
  if (i >= n) return;
  wide<T> left = a[place(i, sizes, step_a)], right = b[place(i, sizes, step_b)];
  y[i] = narrowed<T>(Op::of(left, right));
}
// To a tensor in order, and from one.
template <class T>
__global__ void gather_kernel(const T *a, T *y, int64_t n, Dimensions sizes, Dimensions strides) {
  CLADPY_TORCH_NUMBER;
  if (i < n) y[i] = a[place(i, sizes, strides)];
}
template <class T>
__global__ void scatter_kernel(const T *a, T *y, int64_t n, Dimensions sizes, Dimensions strides) {
  CLADPY_TORCH_NUMBER;
  if (i < n) y[place(i, sizes, strides)] = a[i];
}
// Each thread joins the elements that lie `parts` apart, of `outer` rows of `count` groups of `inner`.
template <class T, class Op>
__global__ void join_kernel(const T *a, T *y, int64_t outer, int64_t count, int64_t inner) {
  CLADPY_TORCH_NUMBER;
  if (i >= outer * inner) return;
  const int64_t first = i / inner * count * inner + i % inner;
  wide<T> joined = a[first];
  for (int64_t k = 1; k < count; ++k) joined = Op::of(joined, static_cast<wide<T>>(a[first + k * inner]));
  y[i] = narrowed<T>(joined);
}
template <class T, class Op> __global__ void parts_kernel(const T *a, T *y, int64_t n, int64_t parts) {
  CLADPY_TORCH_NUMBER;
  if (i >= parts) return;
  wide<T> joined = a[i];
  for (int64_t k = i + parts; k < n; k += parts) joined = Op::of(joined, static_cast<wide<T>>(a[k]));
  y[i] = narrowed<T>(joined);
}

// The types that tensors may have, a bit for each: who knows them says so, since each is a case of its own.
#ifndef CLADPY_TORCH_TYPES
#define CLADPY_TORCH_TYPES 0x88ff
#endif
#if CLADPY_TORCH_TYPES & 1
#define CLADPY_TORCH_CASE_BYTE(...) AT_DISPATCH_CASE(::c10::kByte, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_BYTE(...)
#endif
#if CLADPY_TORCH_TYPES & 2
#define CLADPY_TORCH_CASE_CHAR(...) AT_DISPATCH_CASE(::c10::kChar, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_CHAR(...)
#endif
#if CLADPY_TORCH_TYPES & 4
#define CLADPY_TORCH_CASE_SHORT(...) AT_DISPATCH_CASE(::c10::kShort, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_SHORT(...)
#endif
#if CLADPY_TORCH_TYPES & 8
#define CLADPY_TORCH_CASE_INT(...) AT_DISPATCH_CASE(::c10::kInt, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_INT(...)
#endif
#if CLADPY_TORCH_TYPES & 16
#define CLADPY_TORCH_CASE_LONG(...) AT_DISPATCH_CASE(::c10::kLong, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_LONG(...)
#endif
#if CLADPY_TORCH_TYPES & 32
#define CLADPY_TORCH_CASE_HALF(...) AT_DISPATCH_CASE(::c10::kHalf, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_HALF(...)
#endif
#if CLADPY_TORCH_TYPES & 64
#define CLADPY_TORCH_CASE_FLOAT(...) AT_DISPATCH_CASE(::c10::kFloat, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_FLOAT(...)
#endif
#if CLADPY_TORCH_TYPES & 128
#define CLADPY_TORCH_CASE_DOUBLE(...) AT_DISPATCH_CASE(::c10::kDouble, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_DOUBLE(...)
#endif
#if CLADPY_TORCH_TYPES & 2048
#define CLADPY_TORCH_CASE_BOOL(...) AT_DISPATCH_CASE(::c10::kBool, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_BOOL(...)
#endif
#if CLADPY_TORCH_TYPES & 32768
#define CLADPY_TORCH_CASE_BFLOAT16(...) AT_DISPATCH_CASE(::c10::kBFloat16, __VA_ARGS__)
#else
#define CLADPY_TORCH_CASE_BFLOAT16(...)
#endif
#define CLADPY_TORCH_DISPATCH(TYPE, ...)                                                                               \
  [&] {                                                                                                                \
    const ::c10::ScalarType cladpy_type = TYPE;                                                                        \
    switch (cladpy_type) {                                                                                             \
      __VA_ARGS__                                                                                                      \
    default:                                                                                                           \
      ::cladpy_torch::failed("CLADPY_TORCH_TYPES has not the type of a tensor that is computed");                      \
    }                                                                                                                  \
  }()
#define CLADPY_TORCH_REAL_CASES(...)                                                                                   \
  CLADPY_TORCH_CASE_FLOAT(__VA_ARGS__) CLADPY_TORCH_CASE_DOUBLE(__VA_ARGS__)                                           \
  CLADPY_TORCH_CASE_HALF(__VA_ARGS__) CLADPY_TORCH_CASE_BFLOAT16(__VA_ARGS__)
#define CLADPY_TORCH_NUMBER_CASES(...)                                                                                 \
  CLADPY_TORCH_REAL_CASES(__VA_ARGS__) CLADPY_TORCH_CASE_INT(__VA_ARGS__) CLADPY_TORCH_CASE_LONG(__VA_ARGS__)
#define CLADPY_TORCH_ANY_CASES(...)                                                                                    \
  CLADPY_TORCH_NUMBER_CASES(__VA_ARGS__) CLADPY_TORCH_CASE_BYTE(__VA_ARGS__) CLADPY_TORCH_CASE_CHAR(__VA_ARGS__)       \
  CLADPY_TORCH_CASE_SHORT(__VA_ARGS__) CLADPY_TORCH_CASE_BOOL(__VA_ARGS__)
#define CLADPY_TORCH_DISPATCH_REAL(TYPE, ...) CLADPY_TORCH_DISPATCH(TYPE, CLADPY_TORCH_REAL_CASES(__VA_ARGS__))
#define CLADPY_TORCH_DISPATCH_NUMBER(TYPE, ...) CLADPY_TORCH_DISPATCH(TYPE, CLADPY_TORCH_NUMBER_CASES(__VA_ARGS__))
#define CLADPY_TORCH_DISPATCH_ANY(TYPE, ...) CLADPY_TORCH_DISPATCH(TYPE, CLADPY_TORCH_ANY_CASES(__VA_ARGS__))

template <class From> void convert(const From *a, const at::Tensor &y, int64_t n) {
  CLADPY_TORCH_DISPATCH_ANY(y.scalar_type(), [&] {
    if (n > 0) convert_kernel<From, scalar_t><<<blocks(n), threads>>>(a, y.data_ptr<scalar_t>(), n);
  });
}

// The type of what tensors give. What is known of theirs is known of it: that of numbers alone might not be.
inline c10::ScalarType joint(const at::Tensor &left, const at::Tensor &right) {
  const c10::ScalarType a = left.scalar_type(), b = right.scalar_type();
  if (a == b) return a;
  if (left.is_floating_point() != right.is_floating_point()) return left.is_floating_point() ? a : b;
  if (a == c10::kDouble || b == c10::kDouble) return c10::kDouble;
  if (left.is_floating_point()) return c10::kFloat;
  if (a == c10::kLong || b == c10::kLong) return c10::kLong;
  if (a == c10::kInt || b == c10::kInt) return c10::kInt;
  if (a == c10::kBool) return b;
  if (b == c10::kBool) return a;
  return c10::kShort;
}
inline c10::ScalarType real(const at::Tensor &x) { return x.is_floating_point() ? x.scalar_type() : c10::kFloat; }

// The shape that both can be spread to. Sizes and strides are counted from the last dimension.
inline Dimensions reversed(const Dimensions &x, int64_t dim, int64_t missing) {
  Dimensions y;
#define CLADPY_TORCH_STEP(K)                                                                                           \
  y.d##K = dim > K ? (dim - 1 - K == 0 ? x.d0 : dim - 1 - K == 1 ? x.d1 : dim - 1 - K == 2 ? x.d2                      \
                      : dim - 1 - K == 3 ? x.d3 : dim - 1 - K == 4 ? x.d4 : x.d5)                                      \
                   : missing;
  CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
  return y;
}

template <class Op> at::Tensor of_two(const at::Tensor &left, const at::Tensor &right, bool is_real = false) {
  const c10::ScalarType both = joint(left, right);
  const bool is_number = left.is_floating_point() || right.is_floating_point();
  const c10::ScalarType type = is_real && !is_number ? c10::kFloat : both;
  const at::Tensor a = left.to(type), b = right.to(type);
  const int64_t dim = a.dim() > b.dim() ? a.dim() : b.dim();
  const Dimensions of_a = reversed(a.sizes().values, a.dim(), 1), of_b = reversed(b.sizes().values, b.dim(), 1);
  Dimensions sizes, step_a = reversed(a.strides().values, a.dim(), 0), step_b = reversed(b.strides().values, b.dim(), 0);
  bool is_plain = a.is_contiguous() && b.is_contiguous(), fits = true;
#define CLADPY_TORCH_STEP(K)                                                                                           \
  fits = fits && (of_a.d##K == of_b.d##K || of_a.d##K == 1 || of_b.d##K == 1);                                         \
  is_plain = is_plain && of_a.d##K == of_b.d##K;                                                                       \
  sizes.d##K = of_a.d##K == 1 ? of_b.d##K : of_a.d##K;                                                                 \
  if (of_a.d##K == 1) step_a.d##K = 0;                                                                                 \
  if (of_b.d##K == 1) step_b.d##K = 0;
  CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
  if (!fits) failed("shapes that do not fit each other");
  c10::IntArrayRef shape;
  shape.count = dim;
  shape.values = reversed(sizes, dim, 0);
  at::Tensor y = at::empty(shape, type);
  const int64_t n = y.numel();
  CLADPY_TORCH_DISPATCH_NUMBER(type, [&] {
    if (n == 0) return;
    if (is_plain) {
      binary_kernel<scalar_t, Op>
          <<<blocks(n), threads>>>(a.data_ptr<scalar_t>(), b.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n);
    } else {
      spread_kernel<scalar_t, Op><<<blocks(n), threads>>>(a.data_ptr<scalar_t>(), b.data_ptr<scalar_t>(),
                                                          y.data_ptr<scalar_t>(), n, sizes, step_a, step_b);
    }
  });
  return y;
}
template <class Op> at::Tensor of_number(const at::Tensor &x, double number, bool is_real) {
  const c10::ScalarType type = is_real ? real(x) : x.scalar_type();
  const at::Tensor a = x.to(type).contiguous();
  at::Tensor y = at::empty(x.sizes(), type);
  const int64_t n = y.numel();
  CLADPY_TORCH_DISPATCH_NUMBER(type, [&] {
    if (n > 0) {
      number_kernel<scalar_t, Op><<<blocks(n), threads>>>(a.data_ptr<scalar_t>(), static_cast<wide<scalar_t>>(number),
                                                          y.data_ptr<scalar_t>(), n);
    }
  });
  return y;
}
template <class Op> at::Tensor of_one(const at::Tensor &x) {
  const c10::ScalarType type = real(x);
  const at::Tensor a = x.to(type).contiguous();
  at::Tensor y = at::empty(x.sizes(), type);
  const int64_t n = y.numel();
  CLADPY_TORCH_DISPATCH_REAL(type, [&] {
    if (n > 0) {
      unary_kernel<scalar_t, Op><<<blocks(n), threads>>>(a.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n);
    }
  });
  return y;
}
// All elements joined to one, in steps that have work for many threads.
template <class Op> at::Tensor joined(const at::Tensor &x) {
  at::Tensor a = x.contiguous();
  const int64_t n = x.numel(), many = n < 16384 ? n : 16384, few = n < 128 ? n : 128;
  TORCH_CHECK(n > 0);
  at::Tensor wide_ = at::empty({many}, x.options()), narrow_ = at::empty({few}, x.options());
  at::Tensor y = at::empty(c10::IntArrayRef(), x.options());
  CLADPY_TORCH_DISPATCH_NUMBER(x.scalar_type(), [&] {
    parts_kernel<scalar_t, Op>
        <<<blocks(many), threads>>>(a.data_ptr<scalar_t>(), wide_.data_ptr<scalar_t>(), n, many);
    parts_kernel<scalar_t, Op>
        <<<blocks(few), threads>>>(wide_.data_ptr<scalar_t>(), narrow_.data_ptr<scalar_t>(), many, few);
    parts_kernel<scalar_t, Op><<<1, 1>>>(narrow_.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), few, 1);
  });
  return y;
}
template <class Op> at::Tensor joined(const at::Tensor &x, int64_t place, bool keep) {
  const at::Tensor a = x.contiguous();
  const int64_t k = place < 0 ? place + x.dim() : place;
  TORCH_CHECK(x.size(k) > 0);
  c10::IntArrayRef sizes = x.sizes();
  int64_t outer = 1, inner = 1;
  for (int64_t i = 0; i < x.dim(); ++i) {
    if (i < k) outer *= x.size(i);
    if (i > k) inner *= x.size(i);
  }
  sizes.values.set(k, 1);
  at::Tensor y = at::empty(sizes, x.options());
  CLADPY_TORCH_DISPATCH_NUMBER(x.scalar_type(), [&] {
    if (outer * inner > 0) {
      join_kernel<scalar_t, Op><<<blocks(outer * inner), threads>>>(a.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(),
                                                                    outer, x.size(k), inner);
    }
  });
  return keep ? y : y.squeeze(k);
}

}  // namespace cladpy_torch

namespace at {

// Members of Tensor that launch kernels.

template <class> Tensor Tensor::in_order_copy() const {
  Tensor y = empty(sizes(), options());
  const int64_t n = numel();
  CLADPY_TORCH_DISPATCH_ANY(type_, [&] {
    if (n > 0) {
      cladpy_torch::gather_kernel<scalar_t><<<cladpy_torch::blocks(n), cladpy_torch::threads>>>(
          data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n, cladpy_torch::reversed(sizes_, dim_, 1),
          cladpy_torch::reversed(strides_, dim_, 0));
    }
  });
  return y;
}
template <class> Tensor Tensor::converted(ScalarType type) const {
  const Tensor a = contiguous();
  Tensor y = empty(sizes(), type);
  const int64_t n = numel();
  CLADPY_TORCH_DISPATCH_ANY(type_, [&] { cladpy_torch::convert(a.data_ptr<scalar_t>(), y, n); });
  return y;
}
template <class> Tensor &Tensor::copy_(const Tensor &other, bool) {
  const Tensor a = other.to(type_).expand(sizes()).contiguous();
  const int64_t n = numel();
  CLADPY_TORCH_DISPATCH_ANY(type_, [&] {
    if (n > 0) {
      cladpy_torch::scatter_kernel<scalar_t><<<cladpy_torch::blocks(n), cladpy_torch::threads>>>(
          a.data_ptr<scalar_t>(), data_ptr<scalar_t>(), n, cladpy_torch::reversed(sizes_, dim_, 1),
          cladpy_torch::reversed(strides_, dim_, 0));
    }
  });
  return *this;
}
template <class> Tensor &Tensor::fill_(double value) {
  if (!in_order_) return copy_(full(sizes(), value, options()));
  const int64_t n = numel();
  CLADPY_TORCH_DISPATCH_ANY(type_, [&] {
    if (n > 0) {
      cladpy_torch::fill_kernel<scalar_t><<<cladpy_torch::blocks(n), cladpy_torch::threads>>>(
          data_ptr<scalar_t>(), cladpy_torch::narrowed<scalar_t>(value), n);
    }
  });
  return *this;
}
template <class T> T Tensor::item() const {
  T value;
  const Tensor a = to(CppTypeToScalarType<T>::value);
  cladpy_torch::check(cudaMemcpy(&value, a.data_ptr<T>(), sizeof(T), cudaMemcpyDeviceToHost));
  return value;
}

#define CLADPY_TORCH_OPERATOR(op, Op, Swapped, name, is_real)                                                          \
  template <class = void> Tensor operator op(const Tensor &a, const Tensor &b) {                                       \
    return cladpy_torch::of_two<cladpy_torch::Op>(a, b, is_real);                                                      \
  }                                                                                                                    \
  template <class T, class = cladpy_torch::if_number<T>> Tensor operator op(const Tensor &a, T b) {                    \
    return cladpy_torch::of_number<cladpy_torch::Op>(a, static_cast<double>(b),                                        \
    is_real || std::is_floating_point<T>::value);                                                                      \
  }                                                                                                                    \
  template <class T, class = cladpy_torch::if_number<T>> Tensor operator op(T a, const Tensor &b) {                    \
    return cladpy_torch::of_number<cladpy_torch::Swapped>(b, static_cast<double>(a),                                   \
    is_real || std::is_floating_point<T>::value);                                                                      \
  }                                                                                                                    \
  template <class T> Tensor name(const Tensor &a, const T &b) { return a op b; }                                       \
  template <class T> Tensor Tensor::name(const T &b) const { return *this op b; }                                      \
  template <class T> Tensor &Tensor::name##_(const T &b) { return copy_(*this op b); }                                 \
  template <class T> Tensor &operator op##=(Tensor &a, const T &b) { return a.copy_(a op b); }
CLADPY_TORCH_OPERATOR(+, Plus, Plus, add, false)
CLADPY_TORCH_OPERATOR(-, Minus, From, sub, false)
CLADPY_TORCH_OPERATOR(*, Times, Times, mul, false)
CLADPY_TORCH_OPERATOR(/, Over, Under, div, true)
#undef CLADPY_TORCH_OPERATOR
template <class = void> Tensor operator-(const Tensor &x) {
  return cladpy_torch::of_number<cladpy_torch::Times>(x, -1.0, false);
}
template <class T> Tensor pow(const Tensor &x, T exponent) {
  return cladpy_torch::of_number<cladpy_torch::Power>(x, static_cast<double>(exponent), true);
}
template <class T> Tensor Tensor::pow(T exponent) const { return at::pow(*this, exponent); }
#define CLADPY_TORCH_FUNCTION(name, Op)                                                                                \
  template <class = void> Tensor name(const Tensor &x) { return cladpy_torch::of_one<cladpy_torch::Op>(x); }           \
  template <class> Tensor Tensor::name() const { return at::name<>(*this); }
CLADPY_TORCH_FUNCTION(exp, Exp)
CLADPY_TORCH_FUNCTION(log, Log)
CLADPY_TORCH_FUNCTION(sqrt, Sqrt)
CLADPY_TORCH_FUNCTION(floor, Floor)
CLADPY_TORCH_FUNCTION(abs, Abs)
CLADPY_TORCH_FUNCTION(sin, Sin)
CLADPY_TORCH_FUNCTION(cos, Cos)
CLADPY_TORCH_FUNCTION(tanh, Tanh)
CLADPY_TORCH_FUNCTION(sigmoid, Sigmoid)
#undef CLADPY_TORCH_FUNCTION
#define CLADPY_TORCH_JOIN(name, Op)                                                                                    \
  template <class> Tensor Tensor::name() const { return cladpy_torch::joined<cladpy_torch::Op>(*this); }               \
  template <class> Tensor Tensor::name(int64_t dim, bool keep) const {                                                 \
    return cladpy_torch::joined<cladpy_torch::Op>(*this, dim, keep);                                                   \
  }                                                                                                                    \
  template <class = void> Tensor name(const Tensor &x) { return x.name(); }                                            \
  template <class = void> Tensor name(const Tensor &x, int64_t dim, bool keep = false) { return x.name(dim, keep); }
CLADPY_TORCH_JOIN(sum, Plus)
CLADPY_TORCH_JOIN(amax, Larger)
CLADPY_TORCH_JOIN(amin, Smaller)
#undef CLADPY_TORCH_JOIN
template <class> Tensor Tensor::max() const { return amax(); }
template <class> Tensor Tensor::min() const { return amin(); }
template <class> Tensor Tensor::mean() const { return sum() / static_cast<double>(numel()); }

}  // namespace at

#endif  // CLADPY_TORCH_ARITHMETIC_H
