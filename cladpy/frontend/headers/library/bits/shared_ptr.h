// std::shared_ptr as the front end reads it in host code, in place of the C++ library's, which puts object and counter
// into bytes: a pointer, and one to the counter. A program with pointers to a base, or weak ones, has the real one.
#ifndef _SHARED_PTR_H
#define _SHARED_PTR_H 1
#define _SHARED_PTR_ATOMIC_H 1
#define _BACKWARD_AUTO_PTR_H 1

#include <bits/unique_ptr.h>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace std {

template <class T> class shared_ptr {
public:
  typedef typename remove_extent<T>::type element_type;

  shared_ptr() : data_(nullptr), count_(nullptr) {}
  shared_ptr(nullptr_t) : data_(nullptr), count_(nullptr) {}
  explicit shared_ptr(element_type *data) : data_(data), count_(new long(1)) {}
  shared_ptr(const shared_ptr &other) : data_(other.data_), count_(other.count_) { share(); }
  shared_ptr(shared_ptr &&other) : data_(other.data_), count_(other.count_) {
    other.data_ = nullptr;
    other.count_ = nullptr;
  }
  ~shared_ptr() { release(); }
  shared_ptr &operator=(const shared_ptr &other) {
    shared_ptr taken(other);
    swap(taken);
    return *this;
  }
  shared_ptr &operator=(shared_ptr &&other) {
    shared_ptr taken(std::move(other));
    swap(taken);
    return *this;
  }

  void reset() {
    shared_ptr none;
    swap(none);
  }
  void reset(element_type *data) {
    shared_ptr taken(data);
    swap(taken);
  }
  void swap(shared_ptr &other) {
    element_type *const data = data_;
    long *const count = count_;
    data_ = other.data_;
    count_ = other.count_;
    other.data_ = data;
    other.count_ = count;
  }

  element_type *get() const { return data_; }
  element_type &operator*() const { return *data_; }
  element_type *operator->() const { return data_; }
  element_type &operator[](ptrdiff_t i) const { return data_[i]; }
  long use_count() const { return count_ ? *count_ : 0; }
  explicit operator bool() const { return data_ != nullptr; }

private:
  void share() {
    if (count_) ++*count_;
  }
  void release() {
    if (count_ && --*count_ == 0) {
      if constexpr (is_array<T>::value) delete[] data_;
      else delete data_;
      delete count_;
    }
  }

  element_type *data_;
  long *count_;
};

inline namespace cladpy_shared {
template <class T, class... Given> typename enable_if<!is_array<T>::value, shared_ptr<T>>::type make_shared(Given &&...given) {
  return shared_ptr<T>(new T(static_cast<Given &&>(given)...));
}
#if __cplusplus > 201703L
template <class T> typename enable_if<is_array<T>::value, shared_ptr<T>>::type make_shared(size_t n) {
  return shared_ptr<T>(new typename remove_extent<T>::type[n]());
}
#endif
}  // namespace cladpy_shared

template <class T> bool operator==(const shared_ptr<T> &a, const shared_ptr<T> &b) { return a.get() == b.get(); }
template <class T> bool operator!=(const shared_ptr<T> &a, const shared_ptr<T> &b) { return a.get() != b.get(); }
template <class T> bool operator==(const shared_ptr<T> &a, nullptr_t) { return !a; }
template <class T> bool operator!=(const shared_ptr<T> &a, nullptr_t) { return static_cast<bool>(a); }

}  // namespace std

#endif
