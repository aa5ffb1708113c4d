// Warp shuffles, votes, matches and reductions. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_WARP_H
#define CLADPY_HOST_WARP_H

namespace cladpy {
namespace host {

inline unsigned lane_number() { return scheduler.thread_number() % 32; }

template <class T> std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8, "a warp operation takes values of at most eight bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T> T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(static_cast<void *>(&value), &bits, sizeof value);
  return value;
}

CLADPY_HOST_UNWATCHED inline void resolve_nothing(WarpRequest *, unsigned) {}

// A lane that is not there gives nothing: the reader keeps its own value (on a device the result is undefined).
CLADPY_HOST_UNWATCHED inline void resolve_shuffle(WarpRequest *lanes, unsigned participants) {
  for (int k = 0; k < 32; ++k) {
    if (!(participants >> k & 1)) continue;
    const int source = lanes[k].source;
    lanes[k].output = participants >> source & 1 ? lanes[source].input : lanes[k].input;
  }
}

CLADPY_HOST_UNWATCHED inline void resolve_ballot(WarpRequest *lanes, unsigned participants) {
  unsigned ballot = 0;
  for (int k = 0; k < 32; ++k)
    if ((participants >> k & 1) && lanes[k].input) ballot |= 1u << k;
  for (int k = 0; k < 32; ++k) {
    if (!(participants >> k & 1)) continue;
    lanes[k].output = ballot;
    lanes[k].flag = ballot == participants;
  }
}

CLADPY_HOST_UNWATCHED inline void resolve_match(WarpRequest *lanes, unsigned participants) {
  for (int k = 0; k < 32; ++k) {
    if (!(participants >> k & 1)) continue;
    unsigned same = 0;
    for (int j = 0; j < 32; ++j)
      if ((participants >> j & 1) && lanes[j].input == lanes[k].input) same |= 1u << j;
    lanes[k].output = same;
    lanes[k].flag = same == participants;
  }
}

template <class T, class Combine> CLADPY_HOST_UNWATCHED void resolve_reduce(WarpRequest *lanes, unsigned participants) {
  bool first = true;
  T total{};
  for (int k = 0; k < 32; ++k) {
    if (!(participants >> k & 1)) continue;
    total = first ? from_bits<T>(lanes[k].input) : Combine::of(total, from_bits<T>(lanes[k].input));
    first = false;
  }
  for (int k = 0; k < 32; ++k)
    if (participants >> k & 1) lanes[k].output = to_bits(total);
}

CLADPY_HOST_UNWATCHED inline WarpRequest ask(const char *name, void (*resolve)(WarpRequest *, unsigned), unsigned mask, std::uint64_t input,
                        int source = 0) {
  WarpRequest request;
  request.name = name;
  request.resolve = resolve;
  request.mask = mask;
  request.input = input;
  request.source = source;
  return scheduler.warp(request);
}

template <class T> T shuffle(const char *name, unsigned mask, T value, int source) {
  return from_bits<T>(ask(name, &resolve_shuffle, mask, to_bits(value), source).output);
}

// The lanes of a segment of `width` lanes share the upper bits of their numbers.
inline int segment_start(int width) { return int(lane_number()) & ~(width - 1); }

struct Add {
  template <class T> static T of(T a, T b) { return T(unsigned(a) + unsigned(b)); } // wraps around, as a device does
};
struct Min {
  template <class T> static T of(T a, T b) { return b < a ? b : a; }
};
struct Max {
  template <class T> static T of(T a, T b) { return a < b ? b : a; }
};
struct And {
  template <class T> static T of(T a, T b) { return a & b; }
};
struct Or {
  template <class T> static T of(T a, T b) { return a | b; }
};
struct Xor {
  template <class T> static T of(T a, T b) { return a ^ b; }
};

} // namespace host
} // namespace cladpy

inline void __syncwarp(unsigned mask = 0xffffffffu) {
  cladpy::host::ask("__syncwarp()", &cladpy::host::resolve_nothing, mask, 0);
}
inline unsigned __activemask() { return cladpy::host::scheduler.active_mask(); }

#define CLADPY_HOST_SHUFFLES(T)                                                                                        \
  inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {                                             \
    const int source = cladpy::host::segment_start(width) + (lane & (width - 1));                                      \
    return cladpy::host::shuffle("__shfl_sync()", mask, value, source);                                                \
  }                                                                                                                    \
  inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {                                    \
    const int own = int(cladpy::host::lane_number()), source = own - int(delta & 31);                                  \
    const bool there = delta < 32 && source >= cladpy::host::segment_start(width);                                     \
    return cladpy::host::shuffle("__shfl_up_sync()", mask, value, there ? source : own);                               \
  }                                                                                                                    \
  inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {                                  \
    const int own = int(cladpy::host::lane_number()), source = own + int(delta & 31);                                  \
    const bool there = delta < 32 && source < cladpy::host::segment_start(width) + width;                              \
    return cladpy::host::shuffle("__shfl_down_sync()", mask, value, there ? source : own);                             \
  }                                                                                                                    \
  inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {                                         \
    const int own = int(cladpy::host::lane_number()), source = own ^ (bits & 31);                                      \
    const bool there = source < cladpy::host::segment_start(width) + width;                                            \
    return cladpy::host::shuffle("__shfl_xor_sync()", mask, value, there ? source : own);                              \
  }
CLADPY_HOST_SHUFFLES(int)
CLADPY_HOST_SHUFFLES(unsigned int)
CLADPY_HOST_SHUFFLES(long)
CLADPY_HOST_SHUFFLES(unsigned long)
CLADPY_HOST_SHUFFLES(long long)
CLADPY_HOST_SHUFFLES(unsigned long long)
CLADPY_HOST_SHUFFLES(float)
CLADPY_HOST_SHUFFLES(double)  // and <cladpy/half/atomics.h>

inline int __all_sync(unsigned mask, int predicate) {
  return cladpy::host::ask("__all_sync()", &cladpy::host::resolve_ballot, mask, predicate != 0).flag;
}
inline int __any_sync(unsigned mask, int predicate) {
  return cladpy::host::ask("__any_sync()", &cladpy::host::resolve_ballot, mask, predicate != 0).output != 0;
}
inline int __uni_sync(unsigned mask, int predicate) {
  const cladpy::host::WarpRequest &done =
      cladpy::host::ask("__uni_sync()", &cladpy::host::resolve_ballot, mask, predicate != 0);
  return done.flag || !done.output;
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return unsigned(cladpy::host::ask("__ballot_sync()", &cladpy::host::resolve_ballot, mask, predicate != 0).output);
}
template <class T> unsigned __match_any_sync(unsigned mask, T value) {
  return unsigned(
      cladpy::host::ask("__match_any_sync()", &cladpy::host::resolve_match, mask, cladpy::host::to_bits(value)).output);
}
template <class T> unsigned __match_all_sync(unsigned mask, T value, int *predicate) {
  const cladpy::host::WarpRequest &done =
      cladpy::host::ask("__match_all_sync()", &cladpy::host::resolve_match, mask, cladpy::host::to_bits(value));
  *predicate = done.flag;
  return done.flag ? unsigned(done.output) : 0;
}

#define CLADPY_HOST_REDUCE(name, T, combine)                                                                           \
  inline T name(unsigned mask, T value) {                                                                              \
    using namespace cladpy::host;                                                                                      \
    return from_bits<T>(ask(#name "()", &resolve_reduce<T, combine>, mask, to_bits(value)).output);                    \
  }
CLADPY_HOST_REDUCE(__reduce_add_sync, unsigned, Add)
CLADPY_HOST_REDUCE(__reduce_add_sync, int, Add)
CLADPY_HOST_REDUCE(__reduce_min_sync, unsigned, Min)
CLADPY_HOST_REDUCE(__reduce_min_sync, int, Min)
CLADPY_HOST_REDUCE(__reduce_max_sync, unsigned, Max)
CLADPY_HOST_REDUCE(__reduce_max_sync, int, Max)
CLADPY_HOST_REDUCE(__reduce_and_sync, unsigned, And)
CLADPY_HOST_REDUCE(__reduce_or_sync, unsigned, Or)
CLADPY_HOST_REDUCE(__reduce_xor_sync, unsigned, Xor)
#undef CLADPY_HOST_REDUCE

#if !defined(CLADPY_HOST_FIBERS)
// What takes several shuffles on a device, with the same sums in the same order (<cladpy/warp.h>).
namespace cladpy {
namespace host {

inline long largest_of_lanes(unsigned mask, long count) {
  return from_bits<long>(ask("largest()", &resolve_reduce<long, Max>, mask, to_bits(count)).output);
}

template <class T> void resolve_sum(WarpRequest *lanes, unsigned participants) {
  T sums[32] = {};
  for (int k = 0; k < 32; ++k)
    if (participants >> k & 1) sums[k] = from_bits<T>(lanes[k].input);
  const int width = lanes[__builtin_ctz(participants)].source;
  T made[32] = {};
  if (participants == 0xffffffffu) {
    for (int bits = width / 2; bits > 0; bits /= 2) {
      for (int k = 0; k < 32; ++k) made[k] = sums[k] + sums[k ^ bits];
      std::memcpy(sums, made, sizeof sums);
    }
  } else {
    for (int k = 0; k < 32; ++k) made[k / width] += sums[k];
    for (int k = 0; k < 32; ++k) sums[k] = made[k / width];
  }
  for (int k = 0; k < 32; ++k)
    if (participants >> k & 1) lanes[k].output = to_bits(sums[k]);
}
// Over the lanes of each segment of `width` lanes.
template <class T> T sum_of_lanes(unsigned mask, T value, int width) {
  return from_bits<T>(ask("warp_sum()", &resolve_sum<T>, mask, to_bits(value), width).output);
}

template <class T> void resolve_readers(WarpRequest *lanes, unsigned participants) {
  T sums[32] = {};
  for (int k = 0; k < 32; ++k)
    if (participants >> k & 1) sums[lanes[k].source & 31] += from_bits<T>(lanes[k].input);
  for (int k = 0; k < 32; ++k)
    if (participants >> k & 1) lanes[k].output = to_bits(sums[k]);
}
// Of the lanes that say in `source` that they read the one that asks.
template <class T> T sum_of_readers(unsigned mask, T value, int source) {
  return from_bits<T>(ask("scattered()", &resolve_readers<T>, mask, to_bits(value), source).output);
}

} // namespace host
} // namespace cladpy
#endif

#endif
