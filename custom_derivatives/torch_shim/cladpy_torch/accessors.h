// Tensors by index in kernels.
#ifndef CLADPY_TORCH_ACCESSORS_H
#define CLADPY_TORCH_ACCESSORS_H

#include <cstddef>
#include <cstdint>

namespace at {

template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };

template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class Index = int64_t>
class TensorAccessor {
public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  __host__ __device__ TensorAccessor(PtrType data, const Index *sizes, const Index *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  __host__ __device__ TensorAccessor<T, N - 1, PtrTraits, Index> operator[](Index i) const {
    return TensorAccessor<T, N - 1, PtrTraits, Index>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ PtrType data() const { return data_; }

private:
  PtrType data_;
  const Index *sizes_;
  const Index *strides_;
};

template <class T, template <class> class PtrTraits, class Index> class TensorAccessor<T, 1, PtrTraits, Index> {
public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  __host__ __device__ TensorAccessor(PtrType data, const Index *sizes, const Index *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  __host__ __device__ T &operator[](Index i) const { return data_[strides_[0] * i]; }
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ PtrType data() const { return data_; }

private:
  PtrType data_;
  const Index *sizes_;
  const Index *strides_;
};

template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class Index = int64_t>
class GenericPackedTensorAccessor {
public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  template <class Given>
  __host__ GenericPackedTensorAccessor(PtrType data, const Given &sizes, const Given &strides) : data_(data) {
    for (size_t k = 0; k < N; ++k) {
      sizes_[k] = static_cast<Index>(sizes[k]);
      strides_[k] = static_cast<Index>(strides[k]);
    }
  }
  __host__ __device__ TensorAccessor<T, N - 1, PtrTraits, Index> operator[](Index i) const {
    return TensorAccessor<T, N - 1, PtrTraits, Index>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ PtrType data() const { return data_; }

private:
  PtrType data_;
  Index sizes_[N];
  Index strides_[N];
};

template <class T, template <class> class PtrTraits, class Index>
class GenericPackedTensorAccessor<T, 1, PtrTraits, Index> {
public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  template <class Given>
  __host__ GenericPackedTensorAccessor(PtrType data, const Given &sizes, const Given &strides) : data_(data) {
    sizes_[0] = static_cast<Index>(sizes[0]);
    strides_[0] = static_cast<Index>(strides[0]);
  }
  __host__ __device__ T &operator[](Index i) const { return data_[strides_[0] * i]; }
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ PtrType data() const { return data_; }

private:
  PtrType data_;
  Index sizes_[1];
  Index strides_[1];
};

template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, PtrTraits, int32_t>;
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, PtrTraits, int64_t>;
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class Index = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, PtrTraits, Index>;

}  // namespace at

namespace torch {
using at::DefaultPtrTraits;
using at::PackedTensorAccessor;
using at::PackedTensorAccessor32;
using at::PackedTensorAccessor64;
using at::RestrictPtrTraits;
using at::TensorAccessor;
}  // namespace torch

#endif  // CLADPY_TORCH_ACCESSORS_H
