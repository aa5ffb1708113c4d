// The race check: two threads that meet at a cell. Part of <cladpy/host.h>.
//
// With CLADPY_CHECK_RACES, code that calls note_read, note_write and note_atomic for its accesses learns of two threads
// that touch one cell without a barrier between them, at least one of them by a plain store, or one plainly and one
// atomically. Barriers order the threads of a block, __syncwarp and its like those of a warp, nothing orders blocks.
// Thread-private and shared memory are recognised by their addresses. Without the macro the calls cost nothing. It learns
// as well of a number that is read in shared memory where no thread of the block has written; what the arrays there are
// called, and where in its program a thread is, the code may say.
#ifndef CLADPY_HOST_RACES_H
#define CLADPY_HOST_RACES_H

#if defined(CLADPY_CHECK_RACES)

#include <cstring>
#include <iterator>
#include <map>
#include <unordered_map>

extern "C" {
extern char __start_cladpy_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_cladpy_shared[] __attribute__((weak, visibility("hidden")));
}

namespace cladpy {
namespace host {

enum class Access : unsigned char { read, write, atomic };

class RaceCheck {
public:
  void note(const void *address, std::size_t bytes, Access kind) {
    if (!scheduler.running() || scheduler.on_own_stack(address)) return;
    if (launch_ != scheduler.launch_number()) {
      launch_ = scheduler.launch_number();
      global_.clear();
      shared_.clear();
      own_ = shared_memory();
    }
    const auto first = reinterpret_cast<std::uintptr_t>(address);
    const bool shared = (first >= own_.begin && first < own_.end) || is_marked(first);
    if (shared && block_ != scheduler.block_number()) shared_.clear();
    if (shared) block_ = scheduler.block_number();
    if (shared && kind == Access::read) look_for_content(shared_[first], first, bytes);
    for (std::size_t k = 0; k < bytes; ++k)
      if (!look_at((shared ? shared_ : global_)[first + k], kind, address, shared)) return;
  }

  void at(const char *place) { place_ = place; }
  void named(const void *array, std::size_t bytes, const char *name) {
    names_[reinterpret_cast<std::uintptr_t>(array)] = {bytes, name};
  }

  const char *report() const { return report_; }
  const char *unwritten() const { return unwritten_; }
  void clear() { report_[0] = unwritten_[0] = 0; }

private:
  struct Visit {
    bool there = false;
    std::uint64_t block = 0;
    unsigned thread = 0, interval = 0, warp_interval = 0;
    const char *place = "";
  };
  // Two visits by different threads per kind tell about any third thread.
  struct Cell {
    Visit visits[3][2];
  };
  struct Named {
    std::size_t bytes;
    const char *name;
  };

  void look_for_content(const Cell &cell, std::uintptr_t address, std::size_t bytes) {
    const bool written = cell.visits[int(Access::write)][0].there || cell.visits[int(Access::atomic)][0].there;
    const auto behind = names_.upper_bound(address);
    if (written || unwritten_[0] || behind == names_.begin()) return;
    const auto array = std::prev(behind);
    if (address - array->first < array->second.bytes)
      std::snprintf(unwritten_, sizeof unwritten_, "element %llu of '%s', at %s, by block %llu thread %u",
                    static_cast<unsigned long long>((address - array->first) / bytes), array->second.name, place_,
                    static_cast<unsigned long long>(scheduler.block_number()), scheduler.thread_number());
  }

  bool look_at(Cell &cell, Access kind, const void *address, bool shared) {
    Visit now;
    now.there = true;
    now.block = scheduler.block_number();
    now.thread = scheduler.thread_number();
    now.interval = scheduler.interval();
    now.warp_interval = scheduler.warp_interval();
    now.place = place_;
    for (int k = 0; k < 3; ++k) {
      const Access other = Access(k);
      if (other == kind && kind != Access::write) continue;
      for (const Visit &visit : cell.visits[k])
        if (visit.there && concurrent(visit, now)) return tell(visit, other, now, kind, address, shared), false;
    }
    Visit *visits = cell.visits[int(kind)];
    if (!visits[0].there || (visits[0].block == now.block && visits[0].thread == now.thread)) {
      visits[0] = now;
    } else {
      if (visits[1].there && !(visits[1].block == now.block && visits[1].thread == now.thread)) visits[0] = visits[1];
      visits[1] = now;
    }
    return true;
  }

  static bool concurrent(const Visit &a, const Visit &b) {
    if (a.block != b.block) return true;
    if (a.thread == b.thread || a.interval != b.interval) return false;
    return a.thread / 32 != b.thread / 32 || a.warp_interval == b.warp_interval;
  }

  void tell(const Visit &a, Access kind_a, const Visit &b, Access kind_b, const void *address, bool shared) {
    static const char *const words[] = {"reads", "writes", "updates atomically"};
    if (report_[0]) return;
    std::snprintf(report_, sizeof report_,
                  "race at %p (%s memory): block %llu thread %u %s and block %llu thread %u %s with no barrier between",
                  address, shared ? "shared" : "global", static_cast<unsigned long long>(a.block), a.thread,
                  words[int(kind_a)], static_cast<unsigned long long>(b.block), b.thread, words[int(kind_b)]);
    if (!*b.place) return;
    const std::size_t length = std::strlen(report_);
    const bool same = !std::strcmp(a.place, b.place);
    std::snprintf(report_ + length, sizeof report_ - length, ", at %s%s%s", a.place, same ? "" : " and ",
                  same ? "" : b.place);
  }

  // The oracle's shared memory is in a section of its own.
  static bool is_marked(std::uintptr_t address) {
    return address >= reinterpret_cast<std::uintptr_t>(__start_cladpy_shared) &&
           address < reinterpret_cast<std::uintptr_t>(__stop_cladpy_shared);
  }

  std::unordered_map<std::uintptr_t, Cell> global_, shared_;
  std::map<std::uintptr_t, Named> names_;
  std::uint64_t launch_ = 0, block_ = 0;
  SharedMemory own_;
  const char *place_ = "";
  char report_[360] = "", unwritten_[320] = "";
};

CLADPY_HOST_HIDDEN inline RaceCheck race_check;

inline void note_read(const void *address, std::size_t bytes) { race_check.note(address, bytes, Access::read); }
inline void note_write(const void *address, std::size_t bytes) { race_check.note(address, bytes, Access::write); }
inline void note_atomic(const void *address, std::size_t bytes) { race_check.note(address, bytes, Access::atomic); }

} // namespace host
} // namespace cladpy

extern "C" {
// The first race that was met since the last clear, or an empty text.
__attribute__((used, visibility("default"))) inline const char *cladpy_race_report() {
  return cladpy::host::race_check.report();
}
// The first number that was read in shared memory where nobody has written, likewise.
__attribute__((used, visibility("default"))) inline const char *cladpy_race_unwritten() {
  return cladpy::host::race_check.unwritten();
}
__attribute__((used, visibility("default"))) inline void cladpy_race_clear() { cladpy::host::race_check.clear(); }
}

#else

namespace cladpy {
namespace host {

inline void note_read(const void *, std::size_t) {}
inline void note_write(const void *, std::size_t) {}
#if defined(__SANITIZE_THREAD__) && defined(CLADPY_HOST_FIBERS)
// To the sanitizer, which does not look at what the executor's atomics do: an atomic that adds nothing.
CLADPY_HOST_UNWATCHED inline void note_atomic(const void *address, std::size_t bytes) {
  void *place = const_cast<void *>(address);
  if (bytes == 8) __tsan_atomic64_fetch_add(static_cast<volatile long *>(place), 0, 0);
  if (bytes == 4) __tsan_atomic32_fetch_add(static_cast<volatile int *>(place), 0, 0);
  if (bytes == 2) __tsan_atomic16_fetch_add(static_cast<volatile short *>(place), 0, 0);
}
#else
inline void note_atomic(const void *, std::size_t) {}
#endif

} // namespace host
} // namespace cladpy

#endif

#endif
