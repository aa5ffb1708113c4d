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
  operator c10::TensorOptions() const { return c10::TensorOptions(type); }
  bool is_cuda() const { return true; }
};

}  // namespace cladpy_torch

namespace at {

class Tensor {
public:
  Tensor() {}
  Tensor(std::nullopt_t) {}  // an argument that is not given
  Tensor(void *data, ScalarType type, const IntArrayRef &sizes) : data_(data), type_(type), dim_(sizes.count) {
    sizes_ = sizes.values;
    strides_ = in_order();
    in_order_ = true;
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
    return in_order_ || so;
  }
  bool is_non_overlapping_and_dense() const { return is_contiguous(); }
  MemoryFormat suggest_memory_format() const { return MemoryFormat::Contiguous; }
  bool is_contiguous(MemoryFormat) const { return is_contiguous(); }
  int64_t itemsize() const { return elementSize(type_); }
  int64_t element_size() const { return elementSize(type_); }
  int64_t nbytes() const { return numel() * elementSize(type_); }

  ScalarType scalar_type() const { return type_; }
  cladpy_torch::TypeMeta dtype() const { return cladpy_torch::TypeMeta(type_); }
  cladpy_torch::Type type() const { return cladpy_torch::Type{type_}; }
  bool is_floating_point() const {
    return type_ == kHalf || type_ == kFloat || type_ == kDouble || type_ == kBFloat16;
  }
  bool is_cuda() const { return true; }
  bool is_cpu() const { return false; }
  bool is_sparse() const { return false; }
  bool requires_grad() const { return false; }
  Layout layout() const { return kStrided; }
  Device device() const { return Device(); }
  int64_t get_device() const { return 0; }
  TensorOptions options() const { return TensorOptions(type_); }

  template <class T> T *data_ptr() const {
    constexpr ScalarType asked = CppTypeToScalarType<typename std::remove_const<T>::type>::value;
    if (asked != ScalarType::Undefined && asked != type_) {
      ::cladpy_torch::failed("a tensor's numbers are of another type than they are asked for as");
    }
    return static_cast<T *>(data_) + offset_;
  }
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
  int64_t storage_offset() const { return offset_; }

  // Views, which share the memory.
  Tensor detach() const { return *this; }
  Tensor view(const IntArrayRef &sizes) const {
    if (!is_contiguous()) ::cladpy_torch::failed("cladpy makes a view of other sizes of tensors in order only");
    Tensor y(data_, type_, filled(sizes));
    y.offset_ = offset_;
    return y;
  }
  Tensor view_as(const Tensor &other) const { return view(other.sizes()); }
  template <class = void> Tensor reshape(const IntArrayRef &sizes) const { return contiguous().view(sizes); }
  template <class = void> Tensor flatten(int64_t first = 0, int64_t last = -1) const {
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
    Tensor y = strided();
    y.sizes_.set(at(a), sizes_[at(b)]);
    y.sizes_.set(at(b), sizes_[at(a)]);
    y.strides_.set(at(a), strides_[at(b)]);
    y.strides_.set(at(b), strides_[at(a)]);
    return y;
  }
  Tensor t() const { return transpose(0, 1); }
  Tensor permute(const IntArrayRef &order) const {
    Tensor y = strided();
    for (int64_t k = 0; k < dim_; ++k) {
      y.sizes_.set(k, sizes_[at(order.values[k])]);
      y.strides_.set(k, strides_[at(order.values[k])]);
    }
    return y;
  }
  Tensor select(int64_t k, int64_t i) const {
    Tensor y = without(at(k));
    y.in_order_ = in_order_ && at(k) == 0;
    y.offset_ = offset_ + (i < 0 ? i + sizes_[at(k)] : i) * strides_[at(k)];
    return y;
  }
  Tensor narrow(int64_t k, int64_t first, int64_t count) const {
    Tensor y = *this;
    y.in_order_ = in_order_ && at(k) == 0;
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
  Tensor &unsqueeze_(int64_t k) { return *this = unsqueeze(k); }
  Tensor squeeze(int64_t k) const { return sizes_[at(k)] == 1 ? without(at(k)) : *this; }
  // Spread over dimensions that have size 1, or are new.
  Tensor expand(const IntArrayRef &sizes, bool = false) const {
    Tensor y = strided();
    const int64_t added = sizes.count - dim_;
    y.dim_ = sizes.count;
    for (int64_t k = 0; k < sizes.count; ++k) {
      const bool is_own = k >= added && (sizes.values[k] == -1 || sizes_[k - added] == sizes.values[k]);
      if (!is_own && k >= added && sizes_[k - added] != 1) ::cladpy_torch::failed("sizes that do not fit");
      y.sizes_.set(k, is_own ? sizes_[k - added] : sizes.values[k]);
      y.strides_.set(k, is_own ? strides_[k - added] : 0);
    }
    return y;
  }
  Tensor expand_as(const Tensor &other) const { return expand(other.sizes()); }
  // A copy of what may not be in order, which one knows from how it was made: so it is even where sizes of 1 put it in order.
  template <class = void> Tensor contiguous() const {
    if (in_order_) return *this;
    return in_order_copy();
  }
  template <class = void> Tensor contiguous(MemoryFormat) const { return contiguous(); }
  Tensor new_empty(const IntArrayRef &sizes) const;
  Tensor new_empty(const IntArrayRef &sizes, const TensorOptions &options) const;
  Tensor new_zeros(const IntArrayRef &sizes) const;
  Tensor new_zeros(const IntArrayRef &sizes, const TensorOptions &options) const;
  template <class = void> Tensor new_full(const IntArrayRef &sizes, double value) const;
  template <class = void> Tensor new_ones(const IntArrayRef &sizes) const;
  Tensor cuda() const { return *this; }
  template <class = void> Tensor to(ScalarType type) const {
    if (type == type_) return *this;
    return converted(type);
  }
  Tensor to(Device) const { return *this; }
  template <class = void> Tensor to(const TensorOptions &options) const { return to(options.type); }
  template <class = void> Tensor type(ScalarType t) const { return to(t); }
  template <class = void> Tensor toType(ScalarType t) const { return to(t); }

  Tensor &zero_() {
    if (!is_contiguous()) ::cladpy_torch::failed("cladpy sets tensors in order to zero only");
    cladpy_torch::check(cudaMemset(data_ptr(), 0, nbytes()));
    return *this;
  }
  template <class = void> Tensor clone() const {
    if (!in_order_) return in_order_copy();
    Tensor y = new_empty(sizes());
    cladpy_torch::check(cudaMemcpy(y.data_ptr(), data_ptr(), nbytes(), cudaMemcpyDeviceToDevice));
    return y;
  }

  // What launches kernels is in arithmetic.h.
  template <class = void> Tensor &copy_(const Tensor &other, bool non_blocking = false);
  template <class = void> Tensor &fill_(double value);
  template <class T> T item() const;
  template <class T> Tensor add(const T &other) const;
  template <class T> Tensor sub(const T &other) const;
  template <class T> Tensor mul(const T &other) const;
  template <class T> Tensor div(const T &other) const;
  template <class T> Tensor &add_(const T &other);
  template <class T> Tensor &sub_(const T &other);
  template <class T> Tensor &mul_(const T &other);
  template <class T> Tensor &div_(const T &other);
  template <class T> Tensor pow(T exponent) const;
  template <class = void> Tensor exp() const;
  template <class = void> Tensor log() const;
  template <class = void> Tensor sqrt() const;
  template <class = void> Tensor floor() const;
  template <class = void> Tensor abs() const;
  template <class = void> Tensor sin() const;
  template <class = void> Tensor cos() const;
  template <class = void> Tensor tanh() const;
  template <class = void> Tensor sigmoid() const;
  template <class = void> Tensor sum() const;
  template <class = void> Tensor sum(int64_t dim, bool keep = false) const;
  template <class = void> Tensor amax() const;
  template <class = void> Tensor amax(int64_t dim, bool keep = false) const;
  template <class = void> Tensor amin() const;
  template <class = void> Tensor amin(int64_t dim, bool keep = false) const;
  template <class = void> Tensor max() const;
  template <class = void> Tensor min() const;
  template <class = void> Tensor mean() const;

private:
  void *data_ = nullptr;
  int64_t offset_ = 0;  // in elements
  ScalarType type_ = kFloat;
  int64_t dim_ = 0;
  bool in_order_ = true;  // known from how it was made
  cladpy_torch::Dimensions sizes_;
  cladpy_torch::Dimensions strides_;

  Tensor strided() const {
    Tensor y = *this;
    y.in_order_ = false;
    return y;
  }
  template <class = void> Tensor in_order_copy() const;
  template <class = void> Tensor converted(ScalarType type) const;
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

#ifdef CLADPY_TORCH_MEMORY  // it is asked of the caller
}  // namespace at
namespace cladpy_torch {
typedef void *(*Memory)(long bytes);
inline Memory &memory_of_caller() {
  static Memory memory = nullptr;
  return memory;
}
}  // namespace cladpy_torch
namespace at {
#endif

inline Tensor empty(const IntArrayRef &sizes, const TensorOptions &options = TensorOptions()) {
  Tensor y(nullptr, options.type, sizes);
  void *memory = nullptr;
#ifdef CLADPY_TORCH_MEMORY
  memory = cladpy_torch::memory_of_caller()(y.nbytes());
  if (memory == nullptr) ::cladpy_torch::failed("there is no memory for a tensor");
#else
  cladpy_torch::check(cudaMalloc(&memory, y.nbytes()));
#endif
  return Tensor(memory, options.type, sizes);
}
inline Tensor empty(const IntArrayRef &sizes, const TensorOptions &options, MemoryFormat) {
  return empty(sizes, options);
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
inline Tensor empty_like(const Tensor &x, const TensorOptions &options, MemoryFormat) {
  return empty(x.sizes(), options);
}
inline Tensor zeros_like(const Tensor &x) { return zeros(x.sizes(), x.options()); }
inline Tensor zeros_like(const Tensor &x, const TensorOptions &options) { return zeros(x.sizes(), options); }

template <class = void>
Tensor full(const IntArrayRef &sizes, double value, const TensorOptions &options = TensorOptions()) {
  Tensor y = empty(sizes, options);
  y.fill_(value);
  return y;
}
template <class = void> Tensor ones(const IntArrayRef &sizes, const TensorOptions &options = TensorOptions()) {
  return full(sizes, 1.0, options);
}
template <class = void> Tensor full_like(const Tensor &x, double value) { return full(x.sizes(), value, x.options()); }
template <class = void> Tensor full_like(const Tensor &x, double value, const TensorOptions &options) {
  return full(x.sizes(), value, options);
}
template <class = void> Tensor ones_like(const Tensor &x) { return full(x.sizes(), 1.0, x.options()); }
template <class> Tensor Tensor::new_full(const IntArrayRef &sizes, double value) const {
  return full(sizes, value, options());
}
template <class> Tensor Tensor::new_ones(const IntArrayRef &sizes) const { return full(sizes, 1.0, options()); }
inline int64_t numel(const Tensor &x) { return x.numel(); }
inline int64_t size(const Tensor &x, int64_t k) { return x.size(k); }
inline Tensor transpose(const Tensor &x, int64_t a, int64_t b) { return x.transpose(a, b); }

namespace native {}

}  // namespace at

namespace torch {
using namespace at;
}

#endif  // CLADPY_TORCH_TENSOR_H
