// Tangents of memory: memory itself stays byte for byte as the program has it, the tangents lie in a map from address
// to tangent. What the caller passed has them in arrays of the caller, by regions; everything else, local arrays,
// objects of classes and variables whose address is taken, in a table.
#ifndef CLADPY_ORACLE_SHADOW_H
#define CLADPY_ORACLE_SHADOW_H

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include <cladpy/host.h>

#include "cladpy_oracle/dual.h"

namespace cladpy_oracle {

// Shared memory, where the race check finds it.
#define CLADPY_ORACLE_SHARED __attribute__((section("cladpy_shared")))
// What every `extern __shared__` array of a program is. Blocks run one after the other.
alignas(256) CLADPY_ORACLE_SHARED static unsigned char dynamic_shared_bytes[227 * 1024];
template <class T> T *dynamic_shared() { return reinterpret_cast<T *>(dynamic_shared_bytes); }

struct cell {
  real t;
  real m;
};

// `count` elements of `stride` bytes, each with floating-point numbers at the same ascending offsets; `cells` holds their
// tangents, element by element. The oracle's Python side passes arrays of these.
struct region {
  const char *begin;
  std::size_t count;
  std::size_t stride;
  const std::size_t *offsets;
  std::size_t leaves;
  cell *cells;
};

class shadow_memory {
 public:
  void reset() {
    regions_.clear();
    table_.clear();
  }

  void add_regions(const region *given, std::size_t count) { regions_.insert(regions_.end(), given, given + count); }
  void drop_regions(std::size_t count) { regions_.resize(regions_.size() - count); }

  cell load(const void *address) const {
    if (const cell *found = in_region(address)) return *found;
    if (table_.empty()) return {0, 0};
    auto found = table_.find(address);
    return found == table_.end() ? cell{0, 0} : found->second;
  }

  void store(const void *address, cell c) {
    if (cell *found = in_region(address)) {
      *found = c;
    } else if (c.t == 0 && c.m == 0) {
      if (!table_.empty()) table_.erase(address);
    } else {
      table_[address] = c;
    }
  }

  // The storage gets a new life: what lay there before means nothing.
  void forget(const void *address) {
    if (!table_.empty()) table_.erase(address);
  }

  // The same for all numbers among these bytes, wherever their tangents are.
  void clear(const void *address, std::size_t bytes) {
    const char *at = static_cast<const char *>(address);
    for (const char *number : known(at, bytes)) store(number, {0, 0});
  }

  // The bytes are copied: tangents go along. The two may overlap.
  void move(const void *target, const void *source, std::size_t bytes) {
    char *to = static_cast<char *>(const_cast<void *>(target));
    const char *from = static_cast<const char *>(source);
    const std::vector<const char *> numbers = known(from, bytes);
    std::vector<cell> cells;
    for (const char *number : numbers) cells.push_back(load(number));
    clear(to, bytes);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (cells[k].t != 0 || cells[k].m != 0) store(to + (numbers[k] - from), cells[k]);
  }

 private:
  cell *in_region(const void *address) const {
    const char *at = static_cast<const char *>(address);
    for (const region &r : regions_) {
      if (at < r.begin || at >= r.begin + r.count * r.stride) continue;
      const std::size_t distance = static_cast<std::size_t>(at - r.begin);
      const std::size_t *end = r.offsets + r.leaves;
      const std::size_t *leaf = std::lower_bound(r.offsets, end, distance % r.stride);
      if (leaf == end || *leaf != distance % r.stride) return nullptr;
      return r.cells + distance / r.stride * r.leaves + (leaf - r.offsets);
    }
    return nullptr;
  }

  // Where among these bytes there may be tangents.
  std::vector<const char *> known(const char *at, std::size_t bytes) const {
    std::vector<const char *> found;
    if (table_.size() < bytes) {
      for (const auto &entry : table_) {
        const char *number = static_cast<const char *>(entry.first);
        if (number >= at && number < at + bytes) found.push_back(number);
      }
    } else {
      for (std::size_t k = 0; k < bytes; ++k)
        if (table_.count(at + k)) found.push_back(at + k);
    }
    for (const region &r : regions_) {
      if (at + bytes <= r.begin || at >= r.begin + r.count * r.stride) continue;
      for (std::size_t i = at > r.begin ? std::size_t(at - r.begin) / r.stride : 0; i < r.count; ++i) {
        if (r.begin + i * r.stride >= at + bytes) break;
        for (std::size_t k = 0; k < r.leaves; ++k) {
          const char *number = r.begin + i * r.stride + r.offsets[k];
          if (number >= at && number < at + bytes) found.push_back(number);
        }
      }
    }
    return found;
  }

  std::vector<region> regions_;
  std::unordered_map<const void *, cell> table_;
};

inline shadow_memory shadows;

// Where in an object of type T tangents may lie: at floating-point numbers, and at integers that may hold the bits of
// one.
template <class T, class = void> struct leaves {
  static constexpr std::size_t count = (std::is_arithmetic<T>::value && sizeof(T) >= sizeof(float)) || is_half<T>::value;
  static constexpr std::size_t at(std::size_t) { return 0; }
};
template <class T> struct leaves<T, std::enable_if_t<is_object<T>::value>> {
  static constexpr std::size_t count = T::leaf_count;
  static constexpr std::size_t at(std::size_t i) { return T::leaf[i]; }
};
template <class T, std::size_t n> struct leaves<T[n]> {
  static constexpr std::size_t each = leaves<T>::count;
  static constexpr std::size_t count = n * each;
  static constexpr std::size_t at(std::size_t i) { return i / (each + !each) * sizeof(T) + leaves<T>::at(i % (each + !each)); }
};
template <class T> const char *leaf_address(const T &place, std::size_t i) {
  return reinterpret_cast<const char *>(&place) + leaves<T>::at(i);
}
template <class T> void forget(const T &place) {
  for (std::size_t i = 0; i < leaves<T>::count; ++i) shadows.forget(leaf_address(place, i));
}

// An integer that is stored to: a number whose bits lay there has been overwritten.
template <class T> T &overwritten(T &place) {
  cladpy::host::note_write(&place, sizeof place);
  if (leaves<T>::count) shadows.store(&place, {0, 0});
  return place;
}

// An integer that is stored as it is loaded: numbers whose bits it has are moved with it.
template <class T> T &carried(T &place, const T &from) {
  cladpy::host::note_read(&from, sizeof from);
  cladpy::host::note_write(&place, sizeof place);
  shadows.move(&place, &from, sizeof place);
  std::memmove(&place, &from, sizeof place);
  return place;
}

// The value of an object of class type.
template <class T> struct bundle {
  T v;
  cell cells[leaves<T>::count + !leaves<T>::count];
};

// A number, or an object, without its tangents.
template <class T> dual<T> detached(const dual<T> &value) { return {value.v, 0, 0}; }
template <class T> bundle<T> detached(const bundle<T> &value) { return {value.v, {}}; }

// A value with the tangents beside it, where no other thread can see the access as one of its own kind (atomics).
template <class T> auto look(const T &place) {
  if constexpr (is_object<T>::value) {
    bundle<T> value{place, {}};
    for (std::size_t i = 0; i < leaves<T>::count; ++i) value.cells[i] = shadows.load(leaf_address(place, i));
    return value;
  } else {
    cell c = shadows.load(&place);
    return dual<T>{place, c.t, c.m};
  }
}
template <class T> void put(dual<T> value, T &place) {
  place = value.v;
  shadows.store(&place, {value.t, value.m});
}

template <class T> auto load(const T &place) {
  cladpy::host::note_read(&place, sizeof place);
  return look(place);
}

// Stores take the value first: C++17 evaluates the right operand of an assignment before the left one.
template <class T, class = void> struct store {
  T &r;
  store(dual<T> value, T &place) : r(place) {
    cladpy::host::note_write(&place, sizeof place);
    put(value, place);
  }
  store(dual<T> value, dual<T> &place) = delete;
};
template <class T> struct store<T, std::enable_if_t<is_object<T>::value>> {
  T &r;
  store(const bundle<T> &value, T &place) : r(place) {
    cladpy::host::note_write(&place, sizeof place);
    place = value.v;
    for (std::size_t i = 0; i < leaves<T>::count; ++i) shadows.store(leaf_address(place, i), value.cells[i]);
  }
};

template <class T> struct assign {
  dual<T> &r;
  assign(dual<T> value, dual<T> &place) : r(place) { place = value; }
};

// `place op= value`, computed in C. Operation is one of add, sub, mul, div.
template <template <class> class Operation, class C, class T> struct compound {
  T &r;
  compound(dual<C> value, T &place) : r(place) {
    store<T>{convert<T>(Operation<C>{convert<C>(load(place)), value}.r), place};
  }
};
template <template <class> class Operation, class C, class T> struct compound<Operation, C, dual<T>> {
  dual<T> &r;
  compound(dual<C> value, dual<T> &place) : r(place) { place = convert<T>(Operation<C>{convert<C>(place), value}.r); }
};

// An integer target of a floating compound assignment: the result is cut off, and has no tangent.
template <template <class> class Operation, class C, class T> struct compound_integer {
  T &r;
  compound_integer(dual<C> value, T &place) : r(place) {
    place = static_cast<T>(Operation<C>{constant(static_cast<C>(place)), value}.r.v);
  }
};

template <class T> T &increase(T &place, int delta) {
  place = place + static_cast<T>(delta);
  return place;
}
template <class T> dual<T> &increase(dual<T> &place, int delta) {
  place.v = place.v + static_cast<T>(delta);
  return place;
}
template <class T> dual<T> increase_after(T &place, int delta) {
  dual<T> before = load(place);
  increase(place, delta);
  return before;
}
template <class T> dual<T> increase_after(dual<T> &place, int delta) {
  dual<T> before = place;
  increase(place, delta);
  return before;
}

}  // namespace cladpy_oracle

#endif
