// Kernels for a whole block: loops over its threads, between the points where they wait for each other. Part of
// <cladpy/host.h>.
//
//   CLADPY_WHOLE_BLOCK(threads);
//   of_threads<float> held;                                     a variable of each thread, from loop to loop
//   CLADPY_EACH_THREAD(t, threads) { held[t] = x[threadIdx.x]; }
//   threads::shfl_xor_sync(threads, everybody, sum.of, 0xffffffffu, held.of, 16);   what all lanes do together
//   CLADPY_EACH_THREAD(t, threads.under(flags.of)) { ... }      those whose flag is set
//   CLADPY_EACH_ROW(t, threads, 32, false) {                    threads of one part of 32, of the block and perhaps of the grid
//     const unsigned warp = threadIdx.x / 32;
//     CLADPY_EACH_OF_ROW(t, place) { ... }                      each of them, from place 0 on
//   }
//
// Threads are numbered as on a device, and a loop goes through them in this order, those of a row of the block in an inner
// loop that the compiler makes one of vectors of. What lanes do together is for the threads whose flag is set, or for
// everybody; the place of its result comes before what each lane gives: a pointer to what it has, or what is the same for all.
#ifndef CLADPY_HOST_PHASES_H
#define CLADPY_HOST_PHASES_H

#if !defined(CLADPY_HOST_FIBERS)
#define CLADPY_PHASES  // what emitted code asks for

namespace cladpy {
namespace host {

// A variable of each thread. Nothing is there before a thread has set it.
template <class T> struct of_threads {
  alignas(64) T of[max_threads];
  of_threads() {}
  T &operator[](int t) { return of[t]; }
};

// Some threads of a block, in runs of neighbours in a row of it.
class runs {
public:
  // None of them goes across a multiple of `part` threads, a power of two: of the block's row, and of the grid's.
  runs(const dim3 &block, int count, const bool *flags, unsigned part = 0, bool of_grid = false)
      : width_(int(block.x)), height_(int(block.y)), count_(count), flags_(flags), part_(part),
        before_(of_grid ? ::blockIdx.x * block.x : 0) {}
  bool next() {
    int first = end_;
    if (flags_) first = find(first, true, count_);
    if (first >= count_) return false;
    if (first >= row_ + width_ || !started_) {
      started_ = true;
      if (count_ > width_) { // else there is one
        row_ = first / width_ * width_;
        y_ = unsigned(first / width_ % height_);
        z_ = unsigned(first / width_ / height_);
      }
    }
    end_ = count_ < row_ + width_ ? count_ : row_ + width_;
    if (part_) {
      const unsigned at = unsigned(first - row_);
      const int own = first + int(part_ - at % part_), whole = first + int(part_ - (before_ + at) % part_);
      if (end_ > own) end_ = own;
      if (end_ > whole) end_ = whole;
    }
    if (flags_) end_ = find(first, false, end_);
    first_ = first;
    return true;
  }
  int row() const { return row_; }
  int begin() const { return first_ - row_; }
  int end() const { return end_ - row_; }
  // Makes a thread the one that runs.
  uint3 enter(int x) const {
    ::threadIdx.x = unsigned(x);
    ::threadIdx.y = y_;
    ::threadIdx.z = z_;
    return {unsigned(x), y_, z_};
  }

private:
  // The first thread from one on whose flag is as wanted, if that is before the end. Flags are alike in long runs.
  int find(int at, bool wanted, int end) const {
    for (std::uint64_t eight; at + 8 <= end; at += 8) {
      std::memcpy(&eight, flags_ + at, 8);
      if (eight != (wanted ? 0 : 0x0101010101010101u)) break;
    }
    while (at < end && flags_[at] != wanted) ++at;
    return at;
  }

  int width_, height_, count_;
  const bool *flags_;
  int row_ = 0, first_ = 0, end_ = 0;
  unsigned y_ = 0, z_ = 0, part_, before_;
  bool started_ = false;
};

struct block_threads {
  dim3 block;
  int count;
  runs begin(unsigned part = 0, bool of_grid = false) const { return {block, count, nullptr, part, of_grid}; }
  struct some {
    const block_threads &all;
    const bool *flags;
    runs begin(unsigned part = 0, bool of_grid = false) const { return {all.block, all.count, flags, part, of_grid}; }
  };
  some under(const bool *flags) const { return {*this, flags}; }
};

// Where the indices of a grid wrap around, a block is none of loops.
inline constexpr const bool *everybody = nullptr;
inline bool by_phases(const dim3 &grid, const dim3 &block) {
  return 1ULL * grid.x * block.x <= 0x7fff0000u && 1ULL * block.x * block.y * block.z <= max_threads;
}

// The sums of a piece of the launch for the first elements of an adjoint, if there is enough to add to them; what they have
// no place for is added to the elements.
template <class T> class row_of_piece {
public:
  row_of_piece(T *adjoint, unsigned long long count) : adjoint_(adjoint) {
    if (!adjoint || count > additions_of_thread * threads_of_piece) return;
    sums_ = row_of_sums(adjoint, adjoint + 1, long(count));
    if (sums_) count_ = count;
  }
  template <class I> void add(I index, T value) const {
    if (static_cast<unsigned long long>(index) < count_)
      sums_[index] += value;
    else
      atomicAdd(&adjoint_[index], value);
  }
  template <class I> void reduce_add(I index, T value) const { add(index, value); }

  // What each of some threads adds: most often neighbours do so to neighbouring elements.
  template <class Threads, class I, class V> void add(const Threads &threads, const I *index, const V *value) const {
    for (runs some = threads.begin(32); some.next();) {
      const I *const at = index + some.row() + some.begin();
      const V *const of = value + some.row() + some.begin();
      const int count = some.end() - some.begin();
      const auto first = static_cast<unsigned long long>(at[0]);
      bool beside = true;
      for (int k = 0; k < count; ++k) beside &= static_cast<unsigned long long>(at[k]) - first == unsigned(k);
      if (beside && first < count_ && count_ - first >= unsigned(count)) {
        for (int k = 0; k < count; ++k) sums_[first + unsigned(k)] += T(of[k]);
      } else {
        for (int k = 0; k < count; ++k) add(at[k], T(of[k]));
      }
    }
  }

private:
  static constexpr unsigned long long additions_of_thread = 16;
  T *adjoint_, *sums_ = nullptr;
  unsigned long long count_ = 0;
};

// The tapes of the threads of a block, which are empty.
template <class Tape> Tape *tapes_of_threads(const block_threads &threads) {
  static thread_local std::unique_ptr<Tape[]> tapes;
  if (!tapes) tapes.reset(new Tape[max_threads]);
  for (int t = 0; t < threads.count; ++t)
    if (!tapes[t].empty()) tapes[t] = Tape();  // of a block that was given up
  return tapes.get();
}

// Declares an array of the block, which one thread of the operating system runs as a whole: loops need not ask where it
// is. It holds anything, but the compiler is not to warn of that: it does not see which threads have written what.
#define CLADPY_OF_BLOCK(name, ...) alignas(64) __VA_ARGS__; asm("" : "=m"(name))

// Zeroes an array of the block, whatever it holds.
template <class T> inline void clear_whole(T *memory, unsigned long long length) {
  std::memset(static_cast<void *>(memory), 0, length * sizeof(T));
}

namespace threads {

// What a thread has, or all have.
template <class T> inline T at(const T *of, int t) { return of[t]; }
template <class T, std::enable_if_t<!std::is_pointer<T>::value, int> = 0> inline T at(T same, int) { return same; }

template <class T> using of_one = std::decay_t<decltype(at(std::declval<T>(), 0))>;

// ---- of all threads ---------------------------------------------------------------------------------------------------

inline bool any(const block_threads &all, const bool *, const bool *flags) { return std::memchr(flags, true, std::size_t(all.count)) != nullptr; }

// The largest count.
inline long largest(const block_threads &all, const bool *under, const long *counts) {
  long most = 0;
  for (int t = 0; t < all.count; ++t)
    if (!under || under[t]) most = counts[t] > most ? counts[t] : most;
  return most;
}

// How many threads say yes.
template <class P> inline int syncthreads_count(const block_threads &all, const bool *under, P predicate) {
  int found = 0;
  for (int t = 0; t < all.count; ++t) found += (!under || under[t]) && at(predicate, t);
  return found;
}
template <class P> inline int syncthreads_or(const block_threads &all, const bool *under, P predicate) {
  return syncthreads_count(all, under, predicate) != 0;
}
template <class P> inline int syncthreads_and(const block_threads &all, const bool *under, P predicate) {
  return syncthreads_count(all, under, predicate) == syncthreads_count(all, under, 1);
}

template <class V> of_one<V> block_sum(const block_threads &all, const bool *under, V value) {
  of_one<V> sums[8] = {};
  for (int t = 0; t < all.count; ++t)
    if (!under || under[t]) sums[t % 8] += at(value, t);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// ---- of warps ---------------------------------------------------------------------------------------------------------

constexpr unsigned whole_warp = 0xffffffffu;

// A warp: its first thread, and the lanes that are there.
struct warp {
  int first;
  unsigned there;
  bool has(int lane) const { return there >> lane & 1u; }
};

// Whether 32 flags are.
inline bool are_set(const bool *flags) {
  std::uint64_t eights[4];
  std::memcpy(eights, flags, sizeof eights);
  return (eights[0] & eights[1] & eights[2] & eights[3]) == 0x0101010101010101u;
}

template <class F> inline void each_warp(const block_threads &all, const bool *under, F &&of_warp) {
  for (int first = 0; first < all.count; first += 32) {
    const int lanes = all.count - first < 32 ? all.count - first : 32;
    unsigned there = lanes == 32 ? whole_warp : (1u << lanes) - 1;
    if (under && !(lanes == 32 && are_set(under + first))) {
      unsigned set = 0;
      for (int lane = 0; lane < lanes; ++lane) set |= unsigned(under[first + lane]) << lane;
      there = set;
    }
    if (there) of_warp(warp{first, there});
  }
}

// Calls `of_lane(lane, participants)` for each lane; `participants` are those of its mask.
template <class M, class F> inline void each_lane(const warp &w, M mask, F &&of_lane) {
  for (int lane = 0; lane < 32; ++lane)
    if (w.has(lane)) of_lane(lane, unsigned(at(mask, w.first + lane)) & w.there);
}

// Whether all lanes are there, and in the mask of each.
template <class M> inline bool is_whole(const warp &w, M mask) {
  if (w.there != whole_warp) return false;
  unsigned all = whole_warp;
  for (int lane = 0; lane < 32; ++lane) all &= unsigned(at(mask, w.first + lane));
  return all == whole_warp;
}

// The lane that each lane reads.
inline int source_of_shfl(int own, int lane, int width) { return (own & ~(width - 1)) + (lane & (width - 1)); }
inline int source_of_shfl_up(int own, unsigned delta, int width) {
  const int source = own - int(delta & 31);
  return delta < 32 && source >= (own & ~(width - 1)) ? source : own;
}
inline int source_of_shfl_down(int own, unsigned delta, int width) {
  const int source = own + int(delta & 31);
  return delta < 32 && source < (own & ~(width - 1)) + width ? source : own;
}
inline int source_of_shfl_xor(int own, int bits, int width) {
  const int source = own ^ (bits & 31);
  return source < (own & ~(width - 1)) + width ? source : own;
}

// Each lane reads another's value, or its own where that is not there.
template <class R, class M, class V, class S>
inline void read_lanes(const block_threads &all, const bool *under, R *out, M mask, V value, S &&source) {
  each_warp(all, under, [&](const warp &w) {
    of_one<V> values[32] = {};
    int from[32];
    for (int lane = 0; lane < 32; ++lane) {
      if (w.has(lane)) values[lane] = at(value, w.first + lane);
      from[lane] = source(w.first + lane, lane) & 31;
    }
    if (is_whole(w, mask)) {
      for (int lane = 0; lane < 32; ++lane) out[w.first + lane] = R(values[from[lane]]);
      return;
    }
    each_lane(w, mask, [&](int lane, unsigned participants) {
      out[w.first + lane] = R(values[participants >> from[lane] & 1u ? from[lane] : lane]);
    });
  });
}

// The adjoint of that: each lane gets what those have that have read its value.
template <class R, class M, class V, class S>
inline void add_to_read(const block_threads &all, const bool *under, R *out, M mask, V adjoint, S &&source) {
  each_warp(all, under, [&](const warp &w) {
    of_one<V> sums[32] = {};
    each_lane(w, mask, [&](int lane, unsigned participants) {
      const int from = source(w.first + lane, lane);
      sums[participants >> from & 1u ? from : lane] += at(adjoint, w.first + lane);
    });
    for (int lane = 0; lane < 32; ++lane)
      if (w.has(lane)) out[w.first + lane] = R(sums[lane]);
  });
}

// Lanes whose numbers differ in one bit change what they have.
template <int bit, class R, class T> inline void change_places(R *out, const T *values) {
  for (int first = 0; first < 32; first += 2 * bit)
    for (int lane = first; lane < first + bit; ++lane) {
      out[lane] = R(values[lane + bit]);
      out[lane + bit] = R(values[lane]);
    }
}

// The same for all warps if all lanes of them are there; whether they are. It is its own adjoint.
template <class R, class M, class V>
inline bool change_places(const block_threads &all, const bool *under, R *out, M mask, V value, int bit) {
  bool whole = true;
  each_warp(all, under, [&](const warp &w) { whole = whole && is_whole(w, mask); });
  if (!whole) return false;
  each_warp(all, nullptr, [&](const warp &w) {
    if (under && !under[w.first]) return;
    of_one<V> values[32];
    for (int lane = 0; lane < 32; ++lane) values[lane] = at(value, w.first + lane);
    R *const to = out + w.first;
    switch (bit) {
    case 1: return change_places<1>(to, values);
    case 2: return change_places<2>(to, values);
    case 4: return change_places<4>(to, values);
    case 8: return change_places<8>(to, values);
    default: return change_places<16>(to, values);
    }
  });
  return true;
}

// Whether a shuffle is such a change; no lane asks for another than the rest.
template <class L, class W> inline bool is_one_bit(L, W) { return false; }
inline bool is_one_bit(int bits, int width) { return bits > 0 && bits < width && width <= 32 && !(bits & (bits - 1)); }

#define CLADPY_HOST_LANES_READ(name)                                                                                     \
  template <class R, class M, class V, class L, class W = int>                                                           \
  void name##_sync(const block_threads &all, const bool *under, R *out, M mask, V value, L asked, W width = 32) {        \
    CLADPY_HOST_CHANGED(value)                                                                                           \
    read_lanes(all, under, out, mask, value,                                                                             \
               [&](int t, int own) { return source_of_##name(own, at(asked, t), at(width, t)); });                       \
  }                                                                                                                      \
  template <class R, class M, class V, class L, class W = int>                                                           \
  void name##_adjoint(const block_threads &all, const bool *under, R *out, M mask, V adjoint, L asked, W width = 32) {   \
    CLADPY_HOST_CHANGED(adjoint)                                                                                         \
    add_to_read(all, under, out, mask, adjoint,                                                                          \
                [&](int t, int own) { return source_of_##name(own, at(asked, t), at(width, t)); });                      \
  }                                                                                                                      \
  template <class R, class M, class V, class L, class W = int>                                                           \
  void name##_adjoint_of_any(const block_threads &all, const bool *under, R *out, M mask, V adjoint, L asked,            \
                             W width = 32) {                                                                             \
    name##_adjoint(all, under, out, mask, adjoint, asked, width);                                                        \
  }
#define CLADPY_HOST_CHANGED(value)
CLADPY_HOST_LANES_READ(shfl)
CLADPY_HOST_LANES_READ(shfl_up)
CLADPY_HOST_LANES_READ(shfl_down)
#undef CLADPY_HOST_CHANGED
#define CLADPY_HOST_CHANGED(value)                                                                                       \
  if (is_one_bit(asked, width) && change_places(all, under, out, mask, value, int(at(asked, 0)))) return;
CLADPY_HOST_LANES_READ(shfl_xor)
#undef CLADPY_HOST_CHANGED
#undef CLADPY_HOST_LANES_READ

// Each lane gets what is made of the lanes of its mask for which the predicate holds, and of that mask.
template <class R, class M, class P, class F>
inline void vote(const block_threads &all, const bool *under, R *out, M mask, P predicate, F &&made) {
  each_warp(all, under, [&](const warp &w) {
    unsigned yes = 0;
    for (int lane = 0; lane < 32; ++lane)
      if (w.has(lane)) yes |= unsigned(at(predicate, w.first + lane) != 0) << lane;
    each_lane(w, mask, [&](int lane, unsigned participants) { out[w.first + lane] = R(made(yes & participants, participants)); });
  });
}
template <class R, class M, class P> void ballot_sync(const block_threads &all, const bool *under, R *out, M mask, P predicate) {
  vote(all, under, out, mask, predicate, [](unsigned yes, unsigned) { return yes; });
}
template <class R, class M, class P> void any_sync(const block_threads &all, const bool *under, R *out, M mask, P predicate) {
  vote(all, under, out, mask, predicate, [](unsigned yes, unsigned) { return yes != 0; });
}
template <class R, class M, class P> void all_sync(const block_threads &all, const bool *under, R *out, M mask, P predicate) {
  vote(all, under, out, mask, predicate, [](unsigned yes, unsigned participants) { return yes == participants; });
}
template <class R, class M, class P> void uni_sync(const block_threads &all, const bool *under, R *out, M mask, P predicate) {
  vote(all, under, out, mask, predicate, [](unsigned yes, unsigned participants) { return !yes || yes == participants; });
}

// The lanes of a lane's mask that have its value.
template <class R, class M, class V> void match_any_sync(const block_threads &all, const bool *under, R *out, M mask, V value) {
  each_warp(all, under, [&](const warp &w) {
    each_lane(w, mask, [&](int lane, unsigned participants) {
      unsigned same = 0;
      for (int k = 0; k < 32; ++k)
        if (participants >> k & 1u) same |= unsigned(to_bits(at(value, w.first + k)) == to_bits(at(value, w.first + lane))) << k;
      out[w.first + lane] = R(same);
    });
  });
}
template <class R, class M, class V> void match_all(const block_threads &all, const bool *under, R *out, M mask, V value) {
  each_warp(all, under, [&](const warp &w) {
    each_lane(w, mask, [&](int lane, unsigned participants) {
      bool same = true;
      for (int k = 0; k < 32; ++k)
        if (participants >> k & 1u) same = same && to_bits(at(value, w.first + k)) == to_bits(at(value, w.first + lane));
      out[w.first + lane] = R(same ? participants : 0u);
    });
  });
}

#define CLADPY_HOST_LANES_REDUCED(name, Combine)                                                                         \
  template <class R, class M, class V> void name(const block_threads &all, const bool *under, R *out, M mask, V value) { \
    each_warp(all, under, [&](const warp &w) {                                                                           \
      each_lane(w, mask, [&](int lane, unsigned participants) {                                                          \
        bool first = true;                                                                                               \
        of_one<V> total{};                                                                                               \
        for (int k = 0; k < 32; ++k) {                                                                                   \
          if (!(participants >> k & 1u)) continue;                                                                       \
          total = first ? at(value, w.first + k) : Combine::of(total, at(value, w.first + k));                           \
          first = false;                                                                                                 \
        }                                                                                                                \
        out[w.first + lane] = R(total);                                                                                  \
      });                                                                                                                \
    });                                                                                                                  \
  }
CLADPY_HOST_LANES_REDUCED(reduce_add_sync, Add)
CLADPY_HOST_LANES_REDUCED(reduce_min_sync, Min)
CLADPY_HOST_LANES_REDUCED(reduce_max_sync, Max)
CLADPY_HOST_LANES_REDUCED(reduce_and_sync, And)
CLADPY_HOST_LANES_REDUCED(reduce_or_sync, Or)
CLADPY_HOST_LANES_REDUCED(reduce_xor_sync, Xor)
#undef CLADPY_HOST_LANES_REDUCED

// The sum over the lanes of each segment of `width` lanes.
template <class R, class M, class V, class W = int>
void warp_sum(const block_threads &all, const bool *under, R *out, M mask, V value, W width = 32) {
  each_warp(all, under, [&](const warp &w) {
    each_lane(w, mask, [&](int lane, unsigned participants) {
      of_one<V> sum{};
      for (int k = 0; k < 32; ++k)
        if ((participants >> k & 1u) && k / at(width, w.first + lane) == lane / at(width, w.first + lane)) sum += at(value, w.first + k);
      out[w.first + lane] = R(sum);
    });
  });
}

} // namespace threads
} // namespace host

template <class T, class I>
inline void reduce_add(I index, const host::row_of_piece<T> &a, T value, const host::row_of_piece<T> &b, T other) {
  a.add(index, value);
  b.add(index, other);
}
} // namespace cladpy

// In a kernel for a whole block, what its threads are. Built-in variables are its own, and do not wrap around.
#define CLADPY_WHOLE_BLOCK(threads)                                                                                      \
  const uint3 blockIdx = ::blockIdx;                                                                                     \
  const dim3 blockDim = ::blockDim;                                                                                      \
  [[maybe_unused]] const dim3 gridDim = ::gridDim;                                                                       \
  if (blockIdx.x * blockDim.x > 0x7fff0000u || blockDim.x > cladpy::host::max_threads) __builtin_unreachable();          \
  const cladpy::host::block_threads threads{blockDim, int(blockDim.x * blockDim.y * blockDim.z)}

#define CLADPY_EACH_THREAD(t, threads)                                                                                   \
  for (cladpy::host::runs t##_runs = (threads).begin(); t##_runs.next();)                                                \
    for (int t##_x = t##_runs.begin(), t = t##_runs.row() + t##_x, t##_end = t##_runs.end(); t##_x < t##_end; ++t##_x, ++t) \
      if ([[maybe_unused]] const uint3 threadIdx = t##_runs.enter(t##_x); true)

#define CLADPY_EACH_ROW(t, threads, part, of_grid)                                                                       \
  for (cladpy::host::runs t##_runs = (threads).begin(part, of_grid); t##_runs.next();)                                   \
    if ([[maybe_unused]] const uint3 threadIdx = t##_runs.enter(t##_runs.begin()); true)
#define CLADPY_EACH_OF_ROW(t, place)                                                                                     \
  for (int place = 0, t##_begin = t##_runs.begin(), t##_count = t##_runs.end() - t##_begin, t = t##_runs.row() + t##_begin; \
       place < t##_count; ++place, ++t)                                                                                  \
    if ([[maybe_unused]] const uint3 threadIdx = t##_runs.enter(t##_begin + place); true)

#endif

#endif
