// Tangents of memory: memory itself stays byte for byte as the program has it, the tangents lie in a map from address
// to tangent. The buffers that the caller passed have theirs in arrays of the caller; everything else, local arrays
// and variables whose address is taken, in a table.
#ifndef CLADPY_ORACLE_SHADOW_H
#define CLADPY_ORACLE_SHADOW_H

#include <unordered_map>
#include <vector>

#include "cladpy_oracle/dual.h"

namespace cladpy_oracle {

struct cell {
  real t;
  real m;
};

class shadow_memory {
 public:
  void reset() {
    regions_.clear();
    table_.clear();
  }

  void add_region(const void *begin, std::size_t count, std::size_t size, cell *cells) {
    const char *start = static_cast<const char *>(begin);
    regions_.push_back({start, start + count * size, size, cells});
  }

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
  void forget(const void *begin, std::size_t bytes) {
    const char *start = static_cast<const char *>(begin);
    for (std::size_t offset = 0; offset < bytes && !table_.empty(); offset += 4) table_.erase(start + offset);
  }

 private:
  struct region {
    const char *begin;
    const char *end;
    std::size_t size;
    cell *cells;
  };

  cell *in_region(const void *address) const {
    const char *at = static_cast<const char *>(address);
    for (const region &r : regions_)
      if (at >= r.begin && at < r.end) return r.cells + (at - r.begin) / r.size;
    return nullptr;
  }

  std::vector<region> regions_;
  std::unordered_map<const void *, cell> table_;
};

inline shadow_memory shadows;

template <class T> dual<T> load(const T &place) {
  cell c = shadows.load(&place);
  return {place, c.t, c.m};
}

// Stores take the value first: C++17 evaluates the right operand of an assignment before the left one.
template <class T> struct store {
  T &r;
  store(dual<T> value, T &place) : r(place) {
    place = value.v;
    shadows.store(&place, {value.t, value.m});
  }
  store(dual<T> value, dual<T> &place) = delete;
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

// An rvalue that a const reference is bound to; it lives as long as the full expression.
template <class T> struct materialised {
  T r;
  explicit materialised(dual<T> value) { store<T>{value, r}; }
  ~materialised() { shadows.forget(&r, sizeof(T)); }
  materialised(const materialised &) = delete;
};

}  // namespace cladpy_oracle

#endif
