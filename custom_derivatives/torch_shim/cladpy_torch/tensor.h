// A tensor: memory of a device's, with a shape. What is made is never given back before the program ends its call.
#ifndef CLADPY_TORCH_TENSOR_H
#define CLADPY_TORCH_TENSOR_H

#include "accessors.h"
#include "checks.h"
#include "options.h"
#include "scalar_type.h"
#include <cuda_runtime.h>

namespace cladpy_torch {

// What `tensor.type()` gives.
struct Type {
  c10::ScalarType type;
  c10::ScalarType scalarType() const { return type; }
  operator c10::ScalarType() const { return type; }
  bool is_cuda() const { return true; }
};

}  // namespace cladpy_torch

namespace at {

class Tensor {
public:
  Tensor() {}
  Tensor(void *data, ScalarType type, const IntArrayRef &sizes) : data_(data), type_(type), dim_(sizes.count) {
    sizes_ = sizes.values;
    strides_ = in_order();
  }

  bool defined() const { return data_ != nullptr; }
  int64_t dim() const { return dim_; }
  int64_t ndimension() const { return dim_; }
  int64_t size(int64_t k) const { return sizes_[at(k)]; }
  int64_t stride(int64_t k) const { return strides_[at(k)]; }
  IntArrayRef sizes() const { return listed(sizes_); }
  IntArrayRef strides() const { return listed(strides_); }
  int64_t numel() const {
    int64_t n = 1;
#define CLADPY_TORCH_STEP(K)                                                                                           \
  if (K < dim_) n *= sizes_.d##K;
    CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
    return n;
  }
  bool is_contiguous() const {
    const cladpy_torch::Dimensions expected = in_order();
    bool so = true;
#define CLADPY_TORCH_STEP(K)                                                                                           \
  if (K < dim_) so = so && (sizes_.d##K == 1 || strides_.d##K == expected.d##K);
    CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
    return so;
  }
  bool is_contiguous(MemoryFormat) const { return is_contiguous(); }
  int64_t itemsize() const { return elementSize(type_); }
  int64_t element_size() const { return elementSize(type_); }
  int64_t nbytes() const { return numel() * elementSize(type_); }

  ScalarType scalar_type() const { return type_; }
  cladpy_torch::TypeMeta dtype() const { return cladpy_torch::TypeMeta(type_); }
  cladpy_torch::Type type() const { return cladpy_torch::Type{type_}; }
  bool is_floating_point() const { return isFloatingType(type_); }
  bool is_cuda() const { return true; }
  bool is_cpu() const { return false; }
  bool is_sparse() const { return false; }
  bool requires_grad() const { return false; }
  Layout layout() const { return kStrided; }
  Device device() const { return Device(); }
  int64_t get_device() const { return 0; }
  TensorOptions options() const { return TensorOptions(type_); }

  template <class T> T *data_ptr() const { return static_cast<T *>(data_) + offset_; }
  template <class T> T *data() const { return data_ptr<T>(); }
  template <class T> const T *const_data_ptr() const { return data_ptr<T>(); }
  template <class T> T *mutable_data_ptr() const { return data_ptr<T>(); }
  void *data_ptr() const {
    return offset_ == 0 ? data_ : static_cast<void *>(static_cast<char *>(data_) + offset_ * elementSize(type_));
  }
  const void *const_data_ptr() const { return data_ptr(); }
  void *mutable_data_ptr() const { return data_ptr(); }

  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Traits> packed_accessor32() const {
    return PackedTensorAccessor32<T, N, Traits>(data_ptr<T>(), sizes_, strides_);
  }
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Traits> packed_accessor64() const {
    return PackedTensorAccessor64<T, N, Traits>(data_ptr<T>(), sizes_, strides_);
  }
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits, class Index = int64_t>
  PackedTensorAccessor<T, N, Traits, Index> packed_accessor() const {
    return PackedTensorAccessor<T, N, Traits, Index>(data_ptr<T>(), sizes_, strides_);
  }

  void *memory() const { return data_; }  // of the tensor that this is a view of

  // Views, which share the memory.
  Tensor detach() const { return *this; }
  Tensor view(const IntArrayRef &sizes) const {
    Tensor y(data_, type_, filled(sizes));
    y.offset_ = offset_;
    return y;
  }
  Tensor reshape(const IntArrayRef &sizes) const { return contiguous().view(sizes); }
  Tensor flatten(int64_t first = 0, int64_t last = -1) const {
    int64_t from = at(first), to = at(last);
    IntArrayRef sizes;
    for (int64_t k = 0; k < dim_; ++k) {
      if (k > from && k <= to) {
        sizes.values.set(from, sizes.values[from] * sizes_[k]);
      } else {
        sizes.values.set(sizes.count, sizes_[k]);
        sizes.count += 1;
      }
    }
    return contiguous().view(sizes);
  }
  Tensor transpose(int64_t a, int64_t b) const {
    Tensor y = *this;
    y.sizes_.set(at(a), sizes_[at(b)]);
    y.sizes_.set(at(b), sizes_[at(a)]);
    y.strides_.set(at(a), strides_[at(b)]);
    y.strides_.set(at(b), strides_[at(a)]);
    return y;
  }
  Tensor t() const { return transpose(0, 1); }
  Tensor permute(const IntArrayRef &order) const {
    Tensor y = *this;
    for (int64_t k = 0; k < dim_; ++k) {
      y.sizes_.set(k, sizes_[at(order.values[k])]);
      y.strides_.set(k, strides_[at(order.values[k])]);
    }
    return y;
  }
  Tensor select(int64_t k, int64_t i) const {
    Tensor y = without(at(k));
    y.offset_ = offset_ + (i < 0 ? i + sizes_[at(k)] : i) * strides_[at(k)];
    return y;
  }
  Tensor narrow(int64_t k, int64_t first, int64_t count) const {
    Tensor y = *this;
    y.sizes_.set(at(k), count);
    y.offset_ = offset_ + first * strides_[at(k)];
    return y;
  }
  Tensor slice(int64_t k, int64_t first, int64_t last) const { return narrow(k, first, last - first); }
  Tensor operator[](int64_t i) const { return select(0, i); }
  Tensor unsqueeze(int64_t k) const {
    Tensor y = *this;
    int64_t place = k < 0 ? k + dim_ + 1 : k;
    for (int64_t i = dim_; i > place; --i) {
      y.sizes_.set(i, sizes_[i - 1]);
      y.strides_.set(i, strides_[i - 1]);
    }
    y.sizes_.set(place, 1);
    y.strides_.set(place, place < dim_ ? sizes_[place] * strides_[place] : 1);
    y.dim_ = dim_ + 1;
    return y;
  }
  Tensor squeeze(int64_t k) const { return sizes_[at(k)] == 1 ? without(at(k)) : *this; }
  Tensor contiguous() const {
    if (!is_contiguous()) ::cladpy_torch::failed("cladpy does not put a tensor's elements in order: pass it in order");
    return *this;
  }
  Tensor contiguous(MemoryFormat) const { return contiguous(); }
  Tensor new_empty(const IntArrayRef &sizes) const;
  Tensor new_empty(const IntArrayRef &sizes, const TensorOptions &options) const;
  Tensor new_zeros(const IntArrayRef &sizes) const;
  Tensor new_zeros(const IntArrayRef &sizes, const TensorOptions &options) const;
  Tensor cuda() const { return *this; }
  Tensor to(ScalarType type) const {
    if (type != type_) ::cladpy_torch::failed("cladpy does not convert a tensor's elements to another type");
    return *this;
  }
  Tensor to(Device) const { return *this; }
  Tensor to(const TensorOptions &options) const { return to(options.type); }

  Tensor &zero_() {
    cladpy_torch::check(cudaMemset(data_ptr(), 0, nbytes()));
    return *this;
  }
  Tensor clone() const {
    Tensor y = *this;
    void *memory = nullptr;
    cladpy_torch::check(cudaMalloc(&memory, contiguous().nbytes()));
    cladpy_torch::check(cudaMemcpy(memory, data_ptr(), nbytes(), cudaMemcpyDeviceToDevice));
    y.data_ = memory;
    y.offset_ = 0;
    return y;
  }

private:
  void *data_ = nullptr;
  int64_t offset_ = 0;  // in elements
  ScalarType type_ = kFloat;
  int64_t dim_ = 0;
  cladpy_torch::Dimensions sizes_;
  cladpy_torch::Dimensions strides_;

  int64_t at(int64_t k) const { return k < 0 ? k + dim_ : k; }
  Tensor without(int64_t k) const {
    Tensor y = *this;
    for (int64_t i = k; i + 1 < dim_; ++i) {
      y.sizes_.set(i, sizes_[i + 1]);
      y.strides_.set(i, strides_[i + 1]);
    }
    y.dim_ = dim_ - 1;
    return y;
  }
  IntArrayRef listed(const cladpy_torch::Dimensions &values) const {
    IntArrayRef found;
    found.count = dim_;
    found.values = values;
    return found;
  }
  // The strides of a tensor whose elements follow each other.
  cladpy_torch::Dimensions in_order() const {
    cladpy_torch::Dimensions found;
    int64_t stride = 1;
#define CLADPY_TORCH_STEP(K)                                                                                           \
  if (5 - K < dim_) {                                                                                                  \
    found.set(5 - K, stride);                                                                                          \
    stride *= sizes_[5 - K];                                                                                           \
  }
    CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
    return found;
  }
  // The sizes with what -1 stands for.
  IntArrayRef filled(const IntArrayRef &sizes) const {
    IntArrayRef found = sizes;
    int64_t others = 1;
    for (int64_t k = 0; k < sizes.count; ++k) others *= sizes.values[k] == -1 ? 1 : sizes.values[k];
    for (int64_t k = 0; k < sizes.count; ++k) {
      if (sizes.values[k] == -1) found.values.set(k, numel() / others);
    }
    return found;
  }
};

using OptionalTensorRef = std::optional<Tensor>;

// Factories: all memory is the device's.

inline Tensor empty(const IntArrayRef &sizes, const TensorOptions &options = TensorOptions()) {
  Tensor y(nullptr, options.type, sizes);
  void *memory = nullptr;
  cladpy_torch::check(cudaMalloc(&memory, y.nbytes()));
  return Tensor(memory, options.type, sizes);
}
inline Tensor zeros(const IntArrayRef &sizes, const TensorOptions &options = TensorOptions()) {
  Tensor y = empty(sizes, options);
  y.zero_();
  return y;
}
inline Tensor Tensor::new_empty(const IntArrayRef &sizes) const { return empty(sizes, options()); }
inline Tensor Tensor::new_empty(const IntArrayRef &sizes, const TensorOptions &options) const {
  return empty(sizes, options);
}
inline Tensor Tensor::new_zeros(const IntArrayRef &sizes) const { return zeros(sizes, options()); }
inline Tensor Tensor::new_zeros(const IntArrayRef &sizes, const TensorOptions &options) const {
  return zeros(sizes, options);
}
inline Tensor empty_like(const Tensor &x) { return empty(x.sizes(), x.options()); }
inline Tensor empty_like(const Tensor &x, const TensorOptions &options) { return empty(x.sizes(), options); }
inline Tensor zeros_like(const Tensor &x) { return zeros(x.sizes(), x.options()); }
inline Tensor zeros_like(const Tensor &x, const TensorOptions &options) { return zeros(x.sizes(), options); }

namespace native {}

}  // namespace at

namespace torch {
using namespace at;
}

#endif  // CLADPY_TORCH_TENSOR_H
