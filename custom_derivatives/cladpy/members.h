// Members of objects by their places, and adjoints of objects that hold other things beside numbers.
#pragma once

#include <cstddef>
#include <cstring>

namespace cladpy {

template <class Object, class T>
struct member_of {
  using type = T;
};
template <class Object, class T>
struct member_of<const Object, T> {
  using type = const T;
};

// The member of type T that lies `offset` bytes into an object, where its name must not be used or finds another.
template <class T, long offset, class Object>
__host__ __device__ inline auto member(Object &object) -> typename member_of<Object, T>::type & {
  char *first = &const_cast<char &>(reinterpret_cast<const volatile char &>(object));
  return *reinterpret_cast<typename member_of<Object, T>::type *>(first + offset);
}
// The same of a class with members of libraries' classes, which may be of another size than cladpy takes them to be.
template <class T, long offset, unsigned long size, class Object>
__host__ __device__ inline auto member(Object &object) -> typename member_of<Object, T>::type & {
  static_assert(sizeof(Object) == size, "a member that is not public lies behind one of a library's class: make it public");
  return member<T, offset>(object);
}

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
