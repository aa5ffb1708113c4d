// Objects of classes: in memory they are the program's bytes, with the tangents of their floating-point numbers in the
// shadow map; as values they are bundles of both.
//
// An emitted class has `bytes`, and says in `leaf_count` and `leaf` where tangents may lie.
#ifndef CLADPY_ORACLE_CLASSES_H
#define CLADPY_ORACLE_CLASSES_H

#include "cladpy_oracle/shadow.h"

namespace cladpy_oracle {

// The member of type F at an offset, as an lvalue. Constness is the program's own affair: `mutable` members and the
// initialisation of const ones write to what is const here.
template <class F, std::size_t offset, class S> F &member(S &object) {
  return *reinterpret_cast<F *>(const_cast<unsigned char *>(object.bytes) + offset);
}

// An object without members.
template <class S> S &nothing() {
  static S held;
  return held;
}

// A bit-field: `width` bits from bit `first` on, as it lies in memory on a little-endian machine.
template <class T, std::size_t first, std::size_t width> struct bits {
  unsigned char *bytes;

  operator T() const {
    unsigned long long raw = 0;
    for (std::size_t i = 0; i < width; ++i) raw |= static_cast<unsigned long long>(bit(first + i)) << i;
    if (std::is_signed<T>::value && width < 64 && (raw >> (width - 1) & 1)) raw |= ~0ULL << (width % 64);
    return static_cast<T>(raw);
  }
  const bits &operator=(T value) const {
    const unsigned long long raw = static_cast<unsigned long long>(value);
    for (std::size_t i = 0; i < width; ++i) {
      const unsigned char mask = static_cast<unsigned char>(1u << (first + i) % 8);
      unsigned char &byte = bytes[(first + i) / 8];
      byte = static_cast<unsigned char>(raw >> i & 1 ? byte | mask : byte & ~mask);
    }
    return *this;
  }
  const bits &operator=(const bits &other) const { return *this = static_cast<T>(other); }
  bits(const bits &) = default;
  explicit bits(unsigned char *object) : bytes(object) {}

#define CLADPY_ORACLE_BITS(OP)                              \
  template <class V> const bits &operator OP##=(V value) const { \
    return *this = static_cast<T>(static_cast<T>(*this) OP value); \
  }
  CLADPY_ORACLE_BITS(+)
  CLADPY_ORACLE_BITS(-)
  CLADPY_ORACLE_BITS(*)
  CLADPY_ORACLE_BITS(/)
  CLADPY_ORACLE_BITS(%)
  CLADPY_ORACLE_BITS(<<)
  CLADPY_ORACLE_BITS(>>)
  CLADPY_ORACLE_BITS(&)
  CLADPY_ORACLE_BITS(|)
  CLADPY_ORACLE_BITS(^)
#undef CLADPY_ORACLE_BITS
  const bits &operator++() const { return *this += 1; }
  const bits &operator--() const { return *this -= 1; }
  T operator++(int) const {
    const T before = *this;
    *this += 1;
    return before;
  }
  T operator--(int) const {
    const T before = *this;
    *this -= 1;
    return before;
  }

 private:
  unsigned bit(std::size_t i) const { return bytes[i / 8] >> i % 8 & 1u; }
};
template <class T, std::size_t first, std::size_t width, class S> bits<T, first, width> bits_of(S &object) {
  return bits<T, first, width>(const_cast<unsigned char *>(object.bytes));
}
template <template <class> class Operation, class C, class T, std::size_t first, std::size_t width>
struct compound_integer<Operation, C, bits<T, first, width>> {
  bits<T, first, width> r;
  compound_integer(dual<C> value, bits<T, first, width> place) : r(place) {
    r = static_cast<T>(Operation<C>{constant(static_cast<C>(static_cast<T>(place))), value}.r.v);
  }
};

// Storage that begins its life: zero, without tangents.
template <class T> void blank(T &place) {
  std::memset(static_cast<void *>(&place), 0, sizeof place);
  forget(place);
}

// The value of storage that is not used again.
template <class T> auto take(T &place) {
  auto value = load(place);
  forget(place);
  return value;
}

// A whole array, which is no value in C++: what copying a class does to its members.
template <class T> void copy(T &place, const T &from) {
  std::memmove(static_cast<void *>(&place), &from, sizeof place);
  for (std::size_t i = 0; i < leaves<T>::count; ++i)
    shadows.store(leaf_address(place, i), shadows.load(leaf_address(from, i)));
}

}  // namespace cladpy_oracle

#endif
