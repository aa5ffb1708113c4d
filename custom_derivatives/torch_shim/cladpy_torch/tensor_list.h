// Lists of tensors, each a variable of its own: which memory one leads to is known wherever its number is.
#ifndef CLADPY_TORCH_TENSOR_LIST_H
#define CLADPY_TORCH_TENSOR_LIST_H

#include "tensor.h"
#include <type_traits>
#include <vector>

#ifdef CLADPY_LIBRARY_VECTOR  // the front end's own
#define CLADPY_TORCH_LIST vector< ::at::Tensor, void>
#else
#define CLADPY_TORCH_LIST vector< ::at::Tensor, allocator< ::at::Tensor>>
#endif
#define CLADPY_TORCH_EACH_IN_LIST(STEP) \
  STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11)

namespace std {

template <> class CLADPY_TORCH_LIST {
public:
  typedef ::at::Tensor value_type;
  typedef size_t size_type;
  static constexpr size_t most = 12;

  // Goes through a list by numbers.
  template <class List> struct Place {
    List *list;
    size_t number;
    auto &operator*() const { return (*list)[number]; }
    auto *operator->() const { return &(*list)[number]; }
    Place &operator++() {
      ++number;
      return *this;
    }
    bool operator!=(const Place &other) const { return number != other.number; }
    bool operator==(const Place &other) const { return number == other.number; }
  };
  typedef Place<vector> iterator;
  typedef Place<const vector> const_iterator;

  vector() {}
  explicit vector(size_t count) : size_(fitting(count)) {}
  vector(const ::at::Tensor &first) { push_back(first); }
  template <class... Rest,
            class = typename enable_if<conjunction<is_convertible<const Rest &, ::at::Tensor>...>::value>::type>
  vector(const ::at::Tensor &first, const Rest &...rest) {
    push_back(first);
    (push_back(rest), ...);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void reserve(size_t) {}
  void clear() { size_ = 0; }
  void push_back(const ::at::Tensor &x) {
    size_ = fitting(size_ + 1);
    (*this)[size_ - 1] = x;
  }
  void emplace_back(const ::at::Tensor &x) { push_back(x); }
  ::at::Tensor &operator[](size_t k) {
#define CLADPY_TORCH_STEP(K)                                                                                           \
  if (k == K) return x##K##_;
    CLADPY_TORCH_EACH_IN_LIST(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
    return x0_;
  }
  const ::at::Tensor &operator[](size_t k) const {
#define CLADPY_TORCH_STEP(K)                                                                                           \
  if (k == K) return x##K##_;
    CLADPY_TORCH_EACH_IN_LIST(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
    return x0_;
  }
  ::at::Tensor &at(size_t k) { return (*this)[k]; }
  const ::at::Tensor &at(size_t k) const { return (*this)[k]; }
  ::at::Tensor &front() { return x0_; }
  const ::at::Tensor &front() const { return x0_; }
  ::at::Tensor &back() { return (*this)[size_ - 1]; }
  const ::at::Tensor &back() const { return (*this)[size_ - 1]; }
  iterator begin() { return iterator{this, 0}; }
  iterator end() { return iterator{this, size_}; }
  const_iterator begin() const { return const_iterator{this, 0}; }
  const_iterator end() const { return const_iterator{this, size_}; }

private:
#define CLADPY_TORCH_STEP(K) ::at::Tensor x##K##_;
  CLADPY_TORCH_EACH_IN_LIST(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
  size_t size_ = 0;

  static size_t fitting(size_t count) {
    if (count > most) ::cladpy_torch::failed("cladpy takes twelve tensors in a list at most");
    return count;
  }
};

}  // namespace std

namespace at {
using TensorList = std::vector<Tensor>;
}
namespace torch {
using TensorList = ::at::TensorList;
}

#endif  // CLADPY_TORCH_TENSOR_LIST_H
