// What a function that cladpy has adopted gives back: tensors, one or several, for a caller that has arrays.
#ifndef CLADPY_TORCH_RESULTS_H
#define CLADPY_TORCH_RESULTS_H

#include "tensor.h"
#include "tensor_list.h"
#include <tuple>
#include <vector>

namespace cladpy_torch {

inline at::Tensor as_tensor(const at::Tensor &x) { return x; }
inline at::Tensor as_tensor(const std::optional<at::Tensor> &x) { return x.value(); }
template <int K> at::Tensor result(const at::Tensor &x) { return x; }
template <int K> at::Tensor result(const std::vector<at::Tensor> &x) { return x[K]; }
template <int K, class... T> at::Tensor result(const std::tuple<T...> &x) { return as_tensor(std::get<K>(x)); }

// The pointer's type tells what the memory holds, where nothing in the function does.
template <class T> void copy(T *to, const at::Tensor &x) {
  const at::Tensor y = x.contiguous();
  if (y.numel() > 0) check(cudaMemcpy(to, y.data_ptr<T>(), y.nbytes(), cudaMemcpyDeviceToDevice));
}

// Writes what a call gives: how many tensors, and of each its type, its dimensions, the memory and the place where it
// begins there, sizes and strides.
inline void describe(long *&to, const at::Tensor &x) {
  *to++ = static_cast<long>(x.defined() ? x.scalar_type() : c10::ScalarType::Undefined);
  *to++ = x.dim();
  *to++ = reinterpret_cast<long>(x.memory());
  *to++ = x.storage_offset();
  for (int64_t k = 0; k < most_dimensions; ++k) *to++ = k < x.dim() ? x.size(k) : 0;
  for (int64_t k = 0; k < most_dimensions; ++k) *to++ = k < x.dim() ? x.stride(k) : 0;
}
inline int described(long *&to, const at::Tensor &x) {
  describe(to, x);
  return 1;
}
template <class T, class = if_number<T>> int described(long *&, T) { return 0; }  // which nobody asks for
inline int described(long *&to, const std::vector<at::Tensor> &x) {
  for (const at::Tensor &y : x) describe(to, y);
  return static_cast<int>(x.size());
}
template <class T> int described(long *&to, const std::optional<T> &x) {
  return described(to, x.has_value() ? x.value() : T());
}
template <class... T> int described(long *&to, const std::tuple<T...> &x) {
  return std::apply([&](const auto &...y) { return (0 + ... + described(to, y)); }, x);
}

template <class Call> void describe_of(long *to, Call call) {
  long *next = to + 1;
  if constexpr (std::is_void<decltype(call())>::value) {
    call();
    *to = 0;
  } else {
    *to = described(next, call());
  }
}

}  // namespace cladpy_torch

#endif  // CLADPY_TORCH_RESULTS_H
