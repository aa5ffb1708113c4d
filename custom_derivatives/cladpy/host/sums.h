// Sums over threads that add to the same elements, for each piece of a launch, and added in the order of the pieces. Part of
// <cladpy/host.h>.
//
// Which thread of the operating system runs a piece plays no part in the result, nor how many there are. What is added by
// all threads of a block once lies in an array with a place for each, so that the loop over them is one of vectors; what is
// added otherwise is found by its address.
#ifndef CLADPY_HOST_SUMS_H
#define CLADPY_HOST_SUMS_H

#if !defined(CLADPY_HOST_FIBERS)

#include <memory>
#include <vector>

inline double atomicAdd(double *address, double value);
inline float atomicAdd(float *address, float value);

namespace cladpy {
namespace host {

// The sums of a piece, of single elements and of rows of them. There are at most so many; what is too much is added to the
// elements at once.
class Sums {
public:
  static constexpr std::size_t most = std::size_t(1) << 20;

  template <class T> bool add(T *cell, double value) {
    Sum *const sum = find(cell, 1, &put<T>);
    if (!sum) return false;
    sum->value += value;
    return true;
  }

  // Where the sums of the elements from a cell on are; null where there is no room.
  template <class T, int count> T *row(T *cell) {
    static_assert(sizeof(T) * count <= bytes_at_once, "a row has few elements");
    Sum *const sum = find(cell, count, &put_row<T, count>);
    if (sum && !sum->row) {
      sum->row = take(sizeof(T) * count);
      for (int i = 0; i < count; ++i) ::new (static_cast<void *>(static_cast<T *>(sum->row) + i)) T(0);
    }
    return sum ? static_cast<T *>(sum->row) : nullptr;
  }

  // The same for any number of elements, so many bytes apart.
  template <class T> T *row(T *cell, std::size_t count, std::ptrdiff_t apart) {
    Sum *const sum = count <= most ? find(cell, unsigned(count), &put_long_row<T>, apart) : nullptr;
    if (sum && !sum->row) {
      long_rows_.emplace_back(new unsigned char[count * sizeof(T) + 64]);
      const auto begin = reinterpret_cast<std::uintptr_t>(long_rows_.back().get());
      sum->row = long_rows_.back().get() + (64 - begin % 64) % 64;
      for (std::size_t i = 0; i < count; ++i) ::new (static_cast<void *>(static_cast<T *>(sum->row) + i)) T(0);
    }
    return sum ? static_cast<T *>(sum->row) : nullptr;
  }

  // Adds them to the elements. One that nobody added to may lie outside of its array.
  void finish() {
    for (const Sum &sum : found_) sum.put(sum);
    *this = Sums();
  }

private:
  static constexpr std::size_t bytes_at_once = std::size_t(1) << 14;
  struct Sum {
    void *cell;
    unsigned count;
    double value;
    void *row;
    void (*put)(const Sum &);
    std::ptrdiff_t apart;
  };
  template <class T> static void put(const Sum &sum) {
    if (sum.value != 0.0) atomicAdd(static_cast<T *>(sum.cell), static_cast<T>(sum.value));
  }
  template <class T, int count> static void put_row(const Sum &sum) {
    for (int i = 0; i < count; ++i)
      if (static_cast<T *>(sum.row)[i] != T(0)) atomicAdd(static_cast<T *>(sum.cell) + i, static_cast<T *>(sum.row)[i]);
  }

  template <class T> static void put_long_row(const Sum &sum) {
    for (unsigned i = 0; i < sum.count; ++i) {
      const std::uintptr_t cell = reinterpret_cast<std::uintptr_t>(sum.cell) + std::uintptr_t(sum.apart * std::ptrdiff_t(i));
      if (static_cast<T *>(sum.row)[i] != T(0)) atomicAdd(reinterpret_cast<T *>(cell), static_cast<T *>(sum.row)[i]);
    }
  }

  static std::size_t hash(const void *cell) {
    return std::size_t((reinterpret_cast<std::uintptr_t>(cell) >> 2) * 0x9e3779b97f4a7c15ull >> 32);
  }

  Sum *find(void *cell, unsigned count, void (*put)(const Sum &), std::ptrdiff_t apart = 0) {
    if (slots_.empty()) slots_.assign(64, 0);
    for (std::size_t at = hash(cell);; ++at) {
      unsigned &slot = slots_[at & (slots_.size() - 1)];
      Sum *const there = slot ? &found_[slot - 1] : nullptr;
      if (there && there->cell == cell && there->count == count && there->put == put && there->apart == apart)
        return there;
      if (slot) continue;
      if (count_ + count > most) return nullptr;
      count_ += count;
      found_.push_back({cell, count, 0.0, nullptr, put, apart});
      slot = unsigned(found_.size());
      if (2 * found_.size() > slots_.size()) grow();
      return &found_.back();
    }
  }

  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (unsigned k = 0; k < found_.size(); ++k) {
      std::size_t at = hash(found_[k].cell);
      while (slots_[at & (slots_.size() - 1)]) ++at;
      slots_[at & (slots_.size() - 1)] = k + 1;
    }
  }

  // Memory that stays where it is.
  void *take(std::size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    if (rows_.empty() || left_ < bytes) {
      rows_.emplace_back(new unsigned char[bytes_at_once + 64]);
      left_ = bytes_at_once;
      const auto begin = reinterpret_cast<std::uintptr_t>(rows_.back().get());
      next_ = rows_.back().get() + (64 - begin % 64) % 64;
    }
    void *const taken = next_;
    next_ += bytes;
    left_ -= bytes;
    return taken;
  }

  std::vector<Sum> found_;
  std::vector<unsigned> slots_; // numbers of sums, from 1
  std::vector<std::unique_ptr<unsigned char[]>> rows_, long_rows_;
  unsigned char *next_ = nullptr;
  std::size_t left_ = 0, count_ = 0;
};

// A launch is divided into that many pieces, or fewer: the number does not depend on how many workers there are.
constexpr unsigned most_pieces = 64;

// Of the piece that this thread of the operating system runs, and how many threads of the grid that has.
CLADPY_HOST_OWN Sums *sums_of_piece = nullptr;
CLADPY_HOST_OWN std::uint64_t threads_of_piece = 0;
CLADPY_HOST_OWN std::uint64_t piece_number = 0; // of those that this one has run

// What all threads of a block add to one element: a sum for each threadIdx.x.
template <class T> struct Lanes {
  T sums[1024];
  T *cell;
};

// The places in kernels that have such sums.
struct Site {
  void (*flush)(Sums &);
  bool of_block; // whether the element may be another for the next block
  Site *next;

  CLADPY_HOST_HIDDEN static inline Site *first = nullptr;
  Site(void (*f)(Sums &), bool by_block) : flush(f), of_block(by_block), next(first) { first = this; }
  void there() const {}
};

template <int site, class T, bool of_block> CLADPY_HOST_OWN Lanes<T> lanes_of{};

template <int site, class T, bool of_block> void flush_lanes(Sums &sums) {
  Lanes<T> &lanes = lanes_of<site, T, of_block>;
  if (!lanes.cell) return;
  double total[8] = {};
  const unsigned whole = ::blockDim.x / 8 * 8;
  for (unsigned k = 0; k < whole; k += 8)
    for (unsigned j = 0; j < 8; ++j) total[j] += double(lanes.sums[k + j]);
  for (unsigned k = whole; k < ::blockDim.x; ++k) total[k - whole] += double(lanes.sums[k]);
  std::memset(lanes.sums, 0, ::blockDim.x * sizeof(T));
  const double sum = ((total[0] + total[1]) + (total[2] + total[3])) + ((total[4] + total[5]) + (total[6] + total[7]));
  if (!sums.add(lanes.cell, sum)) atomicAdd(lanes.cell, static_cast<T>(sum));
  lanes.cell = nullptr;
}

template <int site, class T, bool of_block> CLADPY_HOST_HIDDEN inline Site site_of{&flush_lanes<site, T, of_block>, of_block};

// Once by each thread of a block, for the same element.
template <int site, bool of_block, class T> inline void add_to_lanes(T *cell, T value) {
  site_of<site, T, of_block>.there();
  Lanes<T> &lanes = lanes_of<site, T, of_block>;
  lanes.cell = cell;
  lanes.sums[::threadIdx.x] += value;
}

inline void flush_sites(bool of_block, Sums &sums) {
  for (const Site *site = Site::first; site; site = site->next)
    if (site->of_block == of_block) site->flush(sums);
}

// By any thread, for an element that others add to as well.
template <class T> inline void add_to_sum(T *cell, T value) {
  if (value == T(0)) return;
  if (!sums_of_piece || !sums_of_piece->add(cell, double(value))) atomicAdd(cell, value);
}

// Where the sums of so many elements from one on are made, if that many threads share them that it pays to add them up.
constexpr std::uint64_t threads_of_row = 64;
template <class T> inline T *row_of_sums(T *first, T *second, long count) {
  const bool pays = sums_of_piece && count > 0 && threads_of_piece >= threads_of_row;
  const auto apart = reinterpret_cast<std::intptr_t>(second) - reinterpret_cast<std::intptr_t>(first);
  return pays ? sums_of_piece->row(first, std::size_t(count), apart) : nullptr;
}

// Adds to two neighbours. What nobody added to may lie outside of its array; an atomic change of two numbers takes no longer
// than that of one.
template <class T> inline void add_two(T *cell, T first, T second) {
  if constexpr (sizeof(T) == 4) {
    struct Two {
      T first, second;
    };
    if (first != T(0) && second != T(0)) {
      const auto made = [=](Two old) CLADPY_HOST_UNWATCHED { return Two{old.first + first, old.second + second}; };
      replace(reinterpret_cast<Two *>(cell), made, false);
      return;
    }
  }
  if (first != T(0)) atomicAdd(cell, first);
  if (second != T(0)) atomicAdd(cell + 1, second);
}

// Sums of neighbouring elements, for threads that go along them: lines of elements that the thread of the operating system
// has come to last. One that another takes the place of is added to memory, as all are at the end of a piece, in whatever
// order that is.
template <class T> class LineSums {
public:
  static constexpr unsigned length = 64 / sizeof(T);

  template <int count> void add(T *cell, const T (&row)[count]) {
    const auto first = reinterpret_cast<std::uintptr_t>(cell) / sizeof(T);
    const unsigned at = unsigned(first % length);
    if (at + count <= length) {
      T *const sums = line(first - at);
      for (int i = 0; i < count; ++i) sums[at + i] += row[i];
    } else {
      for (int i = 0; i < count; ++i) line((first + i) / length * length)[(first + i) % length] += row[i];
    }
  }

  void finish() {
    for (Line &line : lines_)
      if (line.first) put(line);
  }

private:
  static constexpr unsigned most = 4096;
  struct Line {
    std::uintptr_t first; // the address of its first element, in elements; 0 where there is none
    T sums[length];
  };

  T *line(std::uintptr_t first) {
    Line &line = lines_[std::size_t(std::uint64_t(first / length) * 0x9e3779b97f4a7c15ull >> 52)];
    if (__builtin_expect(line.first != first, false)) {
      if (line.first) put(line);
      line.first = first;
    }
    return line.sums;
  }

  __attribute__((noinline)) static void put(Line &line) {
    for (unsigned i = 0; i < length; i += 2) {
      add_two(reinterpret_cast<T *>((line.first + i) * sizeof(T)), line.sums[i], line.sums[i + 1]);
      line.sums[i] = line.sums[i + 1] = T(0);
    }
    line.first = 0;
  }

  Line lines_[most] = {};
};

template <class T> CLADPY_HOST_OWN LineSums<T> *lines_of_piece = nullptr;

template <class T> void finish_lines() {
  if (LineSums<T> *const lines = lines_of_piece<T>) {
    lines->finish();
    delete lines;
    lines_of_piece<T> = nullptr;
  }
}

template <class T, int count> inline void add_row_to_lines(T *cell, const T (&row)[count]) {
  if (!lines_of_piece<T>) lines_of_piece<T> = new LineSums<T>();
  lines_of_piece<T>->add(cell, row);
}

// The rows of a piece that were asked for last. Threads go through the same ones.
template <class T, int count> struct RecentRows {
  static constexpr unsigned most = 64;
  struct {
    std::uint64_t piece;
    T *cell, *sums;
  } rows[most];

  T *of(T *cell) {
    auto &row = rows[std::size_t((reinterpret_cast<std::uintptr_t>(cell) >> 2) * 0x9e3779b97f4a7c15ull >> 58)];
    if (__builtin_expect(row.cell != cell || row.piece != piece_number, false))
      row = {piece_number, cell, sums_of_piece ? sums_of_piece->row<T, count>(cell) : nullptr};
    return row.sums;
  }
};

template <class T, int count> CLADPY_HOST_OWN RecentRows<T, count> recent_rows{};

template <class T, int count> inline void add_row_to_sums(T *cell, const T (&row)[count]) {
  T *const sums = recent_rows<T, count>.of(cell);
  for (int i = 0; sums && i < count; ++i) sums[i] += row[i];
  for (int i = 0; !sums && i < count; ++i)
    if (row[i] != T(0)) atomicAdd(cell + i, row[i]);
}

} // namespace host
} // namespace cladpy

#endif

#endif
