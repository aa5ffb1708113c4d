// Checks of arguments by functions: all is on one device here, and the others look at shapes and types.
#ifndef CLADPY_TORCH_ARGUMENTS_H
#define CLADPY_TORCH_ARGUMENTS_H

#include "checks.h"
#include "tensor.h"

namespace at {

typedef const char *CheckedFrom;
struct TensorArg {
  Tensor tensor;
  TensorArg(const Tensor &t, const char *, int) : tensor(t) {}
  const Tensor *operator->() const { return &tensor; }
  const Tensor &operator*() const { return tensor; }
};

// What several arguments have in common.
struct TensorArgs {
  bool same_type = true, same_size = true, in_order = true;
  template <class... Rest> TensorArgs(const TensorArg &first, const Rest &...rest) {
    add(first, first);
    (add(first, rest), ...);
  }

private:
  void add(const TensorArg &first, const TensorArg &other) {
    same_type = same_type && first.tensor.scalar_type() == other.tensor.scalar_type();
    same_size = same_size && first.tensor.sizes() == other.tensor.sizes();
    in_order = in_order && other.tensor.is_contiguous();
  }
};

inline void checkAllSameGPU(CheckedFrom, const TensorArgs &) {}
inline void checkSameGPU(CheckedFrom, const TensorArg &, const TensorArg &) {}
inline void checkAllSameType(CheckedFrom, const TensorArgs &all) { TORCH_CHECK(all.same_type); }
inline void checkSameType(CheckedFrom, const TensorArg &a, const TensorArg &b) {
  TORCH_CHECK(a.tensor.scalar_type() == b.tensor.scalar_type());
}
inline void checkAllSameSize(CheckedFrom, const TensorArgs &all) { TORCH_CHECK(all.same_size); }
inline void checkSameSize(CheckedFrom, const TensorArg &a, const TensorArg &b) {
  TORCH_CHECK(a.tensor.sizes() == b.tensor.sizes());
}
inline void checkAllContiguous(CheckedFrom, const TensorArgs &all) { TORCH_CHECK(all.in_order); }
inline void checkContiguous(CheckedFrom, const TensorArg &t) { TORCH_CHECK(t.tensor.is_contiguous()); }
inline void checkDefined(CheckedFrom, const TensorArg &t) { TORCH_CHECK(t.tensor.defined()); }
inline void checkDim(CheckedFrom, const TensorArg &t, int64_t dim) { TORCH_CHECK(t.tensor.dim() == dim); }
inline void checkNumel(CheckedFrom, const TensorArg &t, int64_t numel) { TORCH_CHECK(t.tensor.numel() == numel); }
inline void checkSize(CheckedFrom, const TensorArg &t, const IntArrayRef &sizes) {
  TORCH_CHECK(t.tensor.sizes() == sizes);
}
inline void checkSize(CheckedFrom, const TensorArg &t, int64_t k, int64_t size) {
  TORCH_CHECK(t.tensor.size(k) == size);
}
inline void checkScalarType(CheckedFrom, const TensorArg &t, ScalarType type) {
  TORCH_CHECK(t.tensor.scalar_type() == type);
}

}  // namespace at

#endif  // CLADPY_TORCH_ARGUMENTS_H
