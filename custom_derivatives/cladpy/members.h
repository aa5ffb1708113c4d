// Adjoints of objects that hold other things beside numbers.
#pragma once

#include <cstddef>
#include <cstring>

namespace cladpy {

// `count` numbers in an object, `offset` bytes from where it begins.
template <class T, std::size_t offset, std::size_t count>
struct numbers {
  static __host__ __device__ void add(unsigned char *to, const unsigned char *from) {
    for (std::size_t at = offset; at < offset + count * sizeof(T); at += sizeof(T)) {
      T sum, more;
      memcpy(&sum, to + at, sizeof(T));
      memcpy(&more, from + at, sizeof(T));
      sum += more;
      memcpy(to + at, &sum, sizeof(T));
    }
  }
};
// The adjoint of an object that holds other things beside numbers: these are not added.
template <class Object, class... Parts>
struct numbers_of {
  alignas(Object) unsigned char bytes[sizeof(Object)];

  __host__ __device__ explicit numbers_of(int = 0) {
    for (unsigned char &byte : bytes) byte = 0;
  }
  __host__ __device__ numbers_of &operator+=(const numbers_of &other) {
    const int each[] = {(Parts::add(bytes, other.bytes), 0)...};
    (void)each;
    return *this;
  }
};

}  // namespace cladpy
