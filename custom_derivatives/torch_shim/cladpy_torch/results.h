// What a function that cladpy has adopted gives back: tensors, one or several, for a caller that has arrays.
#ifndef CLADPY_TORCH_RESULTS_H
#define CLADPY_TORCH_RESULTS_H

#include "tensor.h"
#include "tensor_list.h"
#include <algorithm>
#include <cstring>
#include <deque>
#include <tuple>
#include <vector>

namespace cladpy_torch {

// An argument that is not given: a tensor that is not defined, or no value.
struct Nothing {
  operator at::Tensor() const { return at::Tensor(); }
  template <class T> operator std::optional<T>() const { return std::nullopt; }
};

template <int K> at::Tensor result(const at::Tensor &x) { return x; }
template <int K> at::Tensor result(const std::vector<at::Tensor> &x) { return x[K]; }
template <int K, class... T> at::Tensor result(const std::tuple<T...> &x) { return std::get<K>(x); }

inline void copy(void *to, const at::Tensor &x) {
  if (x.numel() > 0) check(cudaMemcpy(to, x.data_ptr(), x.nbytes(), cudaMemcpyDeviceToDevice));
}

// What the first of two calls has given, for the second one to fetch.
inline std::deque<at::Tensor> &kept() {
  static thread_local std::deque<at::Tensor> tensors;
  return tensors;
}
inline void keep(const at::Tensor &x) { kept().push_back(x); }
inline void keep(const std::vector<at::Tensor> &x) {
  for (const at::Tensor &y : x) kept().push_back(y);
}
template <class... T> void keep(const std::tuple<T...> &x) {
  std::apply([](const auto &...y) { (keep(y), ...); }, x);
}

template <class Call> void keep_of(Call call) {
  if constexpr (std::is_void<decltype(call())>::value) {
    call();
  } else {
    keep(call());
  }
}

// Writes how many there are, and of each its type, its dimensions and their sizes.
inline void describe(long *shapes) {
  *shapes++ = static_cast<long>(kept().size());
  for (const at::Tensor &x : kept()) {
    *shapes++ = static_cast<long>(x.defined() ? x.scalar_type() : c10::ScalarType::Undefined);
    *shapes++ = x.dim();
    for (int64_t k = 0; k < most_dimensions; ++k) *shapes++ = k < x.dim() ? x.size(k) : 0;
  }
}

// To memory that the runtime need not know, as it lies on the host there.
inline void deliver(void *to, const at::Tensor &x) {
#ifdef CLADPY_HOST_H
  std::memcpy(to, x.data_ptr(), x.nbytes());
#else
  copy(to, x);
#endif
}

// Copies them to these addresses. Their memory is given back but for what is the caller's.
inline void fetch(const long *addresses, const long *given, long count) {
  for (const at::Tensor &x : kept()) deliver(reinterpret_cast<void *>(*addresses++), x.contiguous());
  std::vector<void *> done;  // several may be views of one
  for (long k = 0; k < count; ++k) done.push_back(reinterpret_cast<void *>(given[k]));
  for (const at::Tensor &x : kept()) {
    if (std::find(done.begin(), done.end(), x.memory()) != done.end()) continue;
    done.push_back(x.memory());
    check(cudaFree(x.memory()));
  }
  kept().clear();
}

}  // namespace cladpy_torch

#endif  // CLADPY_TORCH_RESULTS_H
