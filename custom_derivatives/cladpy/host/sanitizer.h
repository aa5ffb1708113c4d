// ThreadSanitizer's view of a launch: every CUDA thread is a thread to it. Part of <cladpy/host.h>.
//
// Compiled with -fsanitize=thread, the sanitizer sees all that a kernel does to memory, and judges by what orders threads
// alone: barriers those of a block, __syncwarp the lanes of its mask, the end of a launch all. Which thread happens to
// run first plays no part, so one run is enough. Blocks are in no order; `cladpy_order_blocks` has them run one after
// another, since they share the memory that stands for theirs on the host.
#ifndef CLADPY_HOST_SANITIZER_H
#define CLADPY_HOST_SANITIZER_H

#if defined(__SANITIZE_THREAD__) && defined(CLADPY_HOST_FIBERS)

extern "C" {
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_set_fiber_name(void *fiber, const char *name);
void __tsan_acquire(void *address);
void __tsan_release(void *address);
short __tsan_atomic16_fetch_add(volatile short *address, short value, int order);
int __tsan_atomic32_fetch_add(volatile int *address, int value, int order);
long __tsan_atomic64_fetch_add(volatile long *address, long value, int order);
}

// Of the executor's own functions: what they touch is no memory of the program's.
#define CLADPY_HOST_UNWATCHED __attribute__((no_sanitize("thread")))

namespace cladpy {
namespace host {

class Sanitizer {
public:
  bool ordered = true; // blocks run one after another

  CLADPY_HOST_UNWATCHED void begin_grid() {
    home_ = __tsan_get_current_fiber();
    shared_memory(); // the loader makes it now, not in a thread of a block
  }

  CLADPY_HOST_UNWATCHED void begin_block(unsigned threads, std::uint64_t block) {
    count_ = threads;
    for (unsigned k = 0; k < count_; ++k) {
      char name[64];
      std::snprintf(name, sizeof name, "block %llu thread %u", static_cast<unsigned long long>(block), k);
      threads_[k] = __tsan_create_fiber(0);
      __tsan_set_fiber_name(threads_[k], name);
    }
  }

  CLADPY_HOST_UNWATCHED void end_block() {
    for (unsigned k = 0; k < count_; ++k) {
      go(threads_[k]);
      __tsan_release(ordered ? &block_ : &grid_);
    }
    go(home_);
    if (ordered) __tsan_acquire(&block_);
    for (unsigned k = 0; k < count_; ++k) __tsan_destroy_fiber(threads_[k]);
    count_ = 0;
  }

  CLADPY_HOST_UNWATCHED void end_grid() { __tsan_acquire(&grid_); }

  CLADPY_HOST_UNWATCHED void enter(unsigned thread) { go(threads_[thread]); }
  CLADPY_HOST_UNWATCHED void leave() { go(home_); }

  // What these threads have done comes before all that they do from here on.
  template <class Among> CLADPY_HOST_UNWATCHED void meet(Among among) {
    void *here = __tsan_get_current_fiber();
    char *place = &places_[next_++ % sizeof places_];
    for (unsigned k = 0; k < count_; ++k) {
      if (!among(k)) continue;
      go(threads_[k]);
      __tsan_release(place);
    }
    for (unsigned k = 0; k < count_; ++k) {
      if (!among(k)) continue;
      go(threads_[k]);
      __tsan_acquire(place);
    }
    go(here);
  }

private:
  static constexpr unsigned in_no_order = 1;
  CLADPY_HOST_UNWATCHED static void go(void *fiber) { __tsan_switch_to_fiber(fiber, in_no_order); }

  void *home_ = nullptr, *threads_[1024] = {};
  unsigned count_ = 0, next_ = 0;
  char block_ = 0, grid_ = 0, places_[1 << 16] = {};
};

constexpr bool sanitized = true;

} // namespace host
} // namespace cladpy

#else

#define CLADPY_HOST_UNWATCHED

namespace cladpy {
namespace host {

struct Sanitizer {
  bool ordered = true;
  void begin_grid() {}
  void begin_block(unsigned, std::uint64_t) {}
  void end_block() {}
  void end_grid() {}
  void enter(unsigned) {}
  void leave() {}
  template <class Among> void meet(Among) {}
};

constexpr bool sanitized = false;

} // namespace host
} // namespace cladpy

#endif

namespace cladpy {
namespace host {

CLADPY_HOST_HIDDEN inline Sanitizer sanitizer;

} // namespace host
} // namespace cladpy

#if defined(__SANITIZE_THREAD__) && defined(CLADPY_HOST_FIBERS)
extern "C" {
__attribute__((used, visibility("default"))) inline void cladpy_order_blocks(int ordered) {
  cladpy::host::sanitizer.ordered = ordered;
}
}
#endif

#endif
