// Vectors of Thrust on the runtime's memory: what host code uses of them around its own kernels, for the front end and
// for the host backend. Elements are reached one by one through copies.
#ifndef CLADPY_THRUST_HOST_VECTORS_H
#define CLADPY_THRUST_HOST_VECTORS_H

#include <cuda_runtime.h>

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace thrust {

template <class T, class Allocator = void> using host_vector = std::vector<T>;

// An element in the device's memory.
template <class T> class device_reference {
public:
  explicit device_reference(T *place) : place_(place) {}
  device_reference(const device_reference &other) : place_(other.place_) {}
  operator T() const {
    T value;
    cudaMemcpy(&value, place_, sizeof(T), cudaMemcpyDeviceToHost);
    return value;
  }
  const device_reference &operator=(const T &value) const {
    cudaMemcpy(place_, &value, sizeof(T), cudaMemcpyHostToDevice);
    return *this;
  }
  const device_reference &operator=(const device_reference &other) const {  // the element, not which one it is
    const T value = other;
    return *this = value;
  }
  const device_reference &operator+=(const T &value) const { return *this = T(T(*this) + value); }
  const device_reference &operator-=(const T &value) const { return *this = T(T(*this) - value); }
  const device_reference &operator*=(const T &value) const { return *this = T(T(*this) * value); }
  const device_reference &operator/=(const T &value) const { return *this = T(T(*this) / value); }

private:
  T *place_;
};

template <class T> class device_ptr {
public:
  typedef T value_type;
  device_ptr() : place_(nullptr) {}
  explicit device_ptr(T *place) : place_(place) {}
  T *get() const { return place_; }
  device_reference<T> operator*() const { return device_reference<T>(place_); }
  device_reference<T> operator[](std::ptrdiff_t i) const { return device_reference<T>(place_ + i); }
  device_ptr operator+(std::ptrdiff_t n) const { return device_ptr(place_ + n); }
  device_ptr operator-(std::ptrdiff_t n) const { return device_ptr(place_ - n); }
  std::ptrdiff_t operator-(const device_ptr &other) const { return place_ - other.place_; }
  bool operator==(const device_ptr &other) const { return place_ == other.place_; }
  bool operator!=(const device_ptr &other) const { return place_ != other.place_; }

private:
  T *place_;
};

template <class T> T *raw_pointer_cast(const device_ptr<T> &pointer) { return pointer.get(); }
template <class T> T *raw_pointer_cast(T *pointer) { return pointer; }
template <class T> device_ptr<T> device_pointer_cast(T *pointer) { return device_ptr<T>(pointer); }

template <class T> device_ptr<T> device_malloc(std::size_t n) {
  T *made;
  cudaMalloc(&made, n * sizeof(T));
  return device_ptr<T>(made);
}
template <class T> void device_free(const device_ptr<T> &pointer) { cudaFree(pointer.get()); }

template <class T, class Allocator = void> class device_vector {
public:
  typedef T value_type;
  typedef std::size_t size_type;
  typedef device_ptr<T> pointer;
  typedef device_ptr<T> iterator;

  device_vector() : data_(nullptr), size_(0) {}
  explicit device_vector(size_type n) : size_(n) {
    cudaMalloc(&data_, n * sizeof(T));
    cudaMemset(data_, 0, n * sizeof(T));
  }
  device_vector(size_type n, const T &value) : size_(n) {
    cudaMalloc(&data_, n * sizeof(T));
    const std::vector<T> host(n, value);
    upload(host.data());
  }
  template <class A> device_vector(const std::vector<T, A> &host) : size_(host.size()) {
    cudaMalloc(&data_, size_ * sizeof(T));
    upload(host.data());
  }
  template <class Iterator, class = decltype(&*std::declval<Iterator &>())>
  device_vector(Iterator first, Iterator last) : size_(last - first) {
    cudaMalloc(&data_, size_ * sizeof(T));
    cudaMemcpy(data_, &*first, size_ * sizeof(T), cudaMemcpyDefault);
  }
  device_vector(device_ptr<T> first, device_ptr<T> last) : size_(last - first) {
    cudaMalloc(&data_, size_ * sizeof(T));
    cudaMemcpy(data_, first.get(), size_ * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  device_vector(const device_vector &other) : size_(other.size_) {
    cudaMalloc(&data_, size_ * sizeof(T));
    cudaMemcpy(data_, other.data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  device_vector(std::initializer_list<T> values) : size_(values.size()) {
    cudaMalloc(&data_, size_ * sizeof(T));
    upload(values.begin());
  }
  device_vector(device_vector &&other) : data_(other.data_), size_(other.size_) {
    other.data_ = nullptr;
    other.size_ = 0;
  }
  ~device_vector() { cudaFree(data_); }

  template <class A> device_vector &operator=(const std::vector<T, A> &host) {
    renew(host.size());
    upload(host.data());
    return *this;
  }
  device_vector &operator=(const device_vector &other) {
    if (this != &other) {
      renew(other.size_);
      cudaMemcpy(data_, other.data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
    }
    return *this;
  }
  device_vector &operator=(device_vector &&other) {
    swap(other);
    return *this;
  }
  // What a vector of the host's is made of.
  template <class A> operator std::vector<T, A>() const {
    std::vector<T, A> host(size_);
    cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
  }

  pointer data() const { return pointer(data_); }
  iterator begin() const { return iterator(data_); }
  iterator end() const { return iterator(data_ + size_); }
  iterator cbegin() const { return begin(); }
  iterator cend() const { return end(); }
  device_reference<T> operator[](size_type i) const { return device_reference<T>(data_ + i); }
  device_reference<T> front() const { return device_reference<T>(data_); }
  device_reference<T> back() const { return device_reference<T>(data_ + size_ - 1); }
  size_type size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void resize(size_type n, const T &value = T()) {
    if (n == size_) return;
    const size_type kept = n < size_ ? n : size_;
    device_vector taken(n, value);
    cudaMemcpy(taken.data_, data_, kept * sizeof(T), cudaMemcpyDeviceToDevice);
    swap(taken);
  }
  void assign(size_type n, const T &value) {
    device_vector taken(n, value);
    swap(taken);
  }
  template <class Iterator, class = decltype(&*std::declval<Iterator &>())> void assign(Iterator first, Iterator last) {
    device_vector taken(first, last);
    swap(taken);
  }
  void assign(device_ptr<T> first, device_ptr<T> last) {
    device_vector taken(first, last);
    swap(taken);
  }
  void clear() { renew(0); }
  void shrink_to_fit() {}
  void push_back(const T &value) { resize(size_ + 1, value); }
  void pop_back() { --size_; }
  iterator erase(iterator place) { return erase(place, place + 1); }
  iterator erase(iterator first, iterator last) {
    const size_type behind = end() - last;
    if (behind) {
      device_vector moved(last, end());
      cudaMemcpy(first.get(), moved.data_, behind * sizeof(T), cudaMemcpyDeviceToDevice);
    }
    size_ -= last - first;
    return first;
  }
  void swap(device_vector &other) {
    T *const data = data_;
    const size_type size = size_;
    data_ = other.data_;
    size_ = other.size_;
    other.data_ = data;
    other.size_ = size;
  }

private:
  void upload(const T *host) { cudaMemcpy(data_, host, size_ * sizeof(T), cudaMemcpyHostToDevice); }
  void renew(size_type n) {
    if (n != size_) {
      cudaFree(data_);
      cudaMalloc(&data_, n * sizeof(T));
      size_ = n;
    }
  }

  T *data_;
  size_type size_;
};

template <class T, class A> void swap(device_vector<T, A> &left, device_vector<T, A> &right) { left.swap(right); }

// Between host and device, and from a vector's iterators too.
template <class T> T *copy(device_ptr<T> first, device_ptr<T> last, T *result) {
  cudaMemcpy(result, first.get(), (last - first) * sizeof(T), cudaMemcpyDeviceToHost);
  return result + (last - first);
}
template <class T> device_ptr<T> copy(device_ptr<T> first, device_ptr<T> last, device_ptr<T> result) {
  cudaMemcpy(result.get(), first.get(), (last - first) * sizeof(T), cudaMemcpyDeviceToDevice);
  return result + (last - first);
}
template <class T> device_ptr<T> copy(const T *first, const T *last, device_ptr<T> result) {
  cudaMemcpy(result.get(), first, (last - first) * sizeof(T), cudaMemcpyHostToDevice);
  return result + (last - first);
}
template <class Iterator, class T, class = decltype(&*std::declval<Iterator &>())>
Iterator copy(device_ptr<T> first, device_ptr<T> last, Iterator result) {
  cudaMemcpy(&*result, first.get(), (last - first) * sizeof(T), cudaMemcpyDeviceToHost);
  return result + (last - first);
}

template <class T = void> struct plus {
  __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <> struct plus<void> {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <class T = void> struct multiplies {
  __host__ __device__ T operator()(const T &a, const T &b) const { return a * b; }
};
template <> struct multiplies<void> {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a * b; }
};
template <class T = void> struct maximum {
  __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
  __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <class I, class O> O copy_n(I first, std::size_t n, O result) { return copy(first, first + n, result); }

} // namespace thrust

#include <thrust/cladpy_algorithms.h>
#include <thrust/cladpy_places.h>
#include <thrust/cladpy_together.h>
#include <thrust/cladpy_sequential.h>

#endif
