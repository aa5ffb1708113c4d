// Loops whose iterations the threads of OpenMP share: what they add to one element, and their parts of the tape.
#ifndef CLADPY_TEAMS_H
#define CLADPY_TEAMS_H

#include <cladpy/support.h>

#include <cstddef>
#include <memory>

namespace cladpy {

// Threads may add to one element at once.
template <class T, class Added>
inline void team_add(T *cell, Added value) {
#pragma omp atomic
  *cell += value;
}

// What the iterations of a loop leave on the tape: a row for each.
class rows_to_fill {
 public:
  template <class Tape>
  rows_to_fill(Tape &tape, long long count, std::size_t slots)
      : first_(tape.extend(count > 0 ? static_cast<std::size_t>(count) * slots : 0)), slots_(slots) {}
  unsigned long long *begin(long long row) const { return first_ + static_cast<std::size_t>(row) * slots_; }

 private:
  unsigned long long *first_;
  std::size_t slots_;
};

// The same where they are read, and then gone.
class rows_to_read {
 public:
  template <class Tape>
  rows_to_read(Tape &tape, std::size_t slots) : slots_(slots), rows_(tape.shorten()) {}
  unsigned long long *end(long long row) const { return rows_.get() + (static_cast<std::size_t>(row) + 1) * slots_; }

 private:
  std::size_t slots_;
  std::unique_ptr<unsigned long long[]> rows_;
};

// The row of an iteration as a tape. In the reverse sweep what is pushed lies above it.
class row {
 public:
  row(const rows_to_fill &rows, long long number) : next_(rows.begin(number)), is_filled_(false) {}
  row(const rows_to_read &rows, long long number) : next_(rows.end(number)), is_filled_(true) {}
  template <class T>
  void push(T value) {
    if (is_filled_) {
      above_.push(value);
      ++count_;
    } else {
      *next_++ = to_slot(value);
    }
  }
  template <class T>
  T pop() {
    if (count_ == 0) return from_slot<T>(*--next_);
    --count_;
    return above_.template pop<T>();
  }
  template <class T>
  void push_if(bool kept, T value) {
    if (kept)
      push(value);
    else
      push(~0ULL);
  }
  template <class T>
  T pop_if(bool kept) {
    const T value = pop<T>();
    return kept ? value : from_slot<T>(0);
  }

 private:
  unsigned long long *next_;
  bool is_filled_;
  std::size_t count_ = 0;
  growing_stack above_;
};

}  // namespace cladpy

#endif
