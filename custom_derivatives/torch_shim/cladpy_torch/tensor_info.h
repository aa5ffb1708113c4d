// Memory with sizes and strides, as kernels are given it that find elements by their numbers.
#ifndef CLADPY_TORCH_TENSOR_INFO_H
#define CLADPY_TORCH_TENSOR_INFO_H

#include "tensor.h"

namespace at {
namespace cuda {
namespace detail {

template <class T, class Index> struct TensorInfo {
  T *data;
  Index sizes[cladpy_torch::most_dimensions];
  Index strides[cladpy_torch::most_dimensions];
  int dims;
};
template <class T, class Index> TensorInfo<T, Index> getTensorInfo(const Tensor &x) {
  TensorInfo<T, Index> info;
  info.data = x.data_ptr<T>();
  info.dims = static_cast<int>(x.dim());
#define CLADPY_TORCH_STEP(K)                                                                                           \
  info.sizes[K] = static_cast<Index>(K < x.dim() ? x.size(K) : 1);                                                     \
  info.strides[K] = static_cast<Index>(K < x.dim() ? x.stride(K) : 0);
  CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
  return info;
}
// Where an element lies, by its number in the order of the sizes; `Dims` is how many there are, or -1.
template <class T, class Index, int Dims> struct IndexToOffset {
  static __host__ __device__ Index get(Index number, const TensorInfo<T, Index> &info) {
    Index offset = 0;
    for (int k = info.dims - 1; k > 0; --k) {
      offset += number % info.sizes[k] * info.strides[k];
      number /= info.sizes[k];
    }
    return offset + number * info.strides[0];
  }
};
inline bool canUse32BitIndexMath(const Tensor &x, int64_t most = 0x7fffffff) { return x.numel() < most; }

}  // namespace detail
}  // namespace cuda
}  // namespace at

#endif  // CLADPY_TORCH_TENSOR_INFO_H
