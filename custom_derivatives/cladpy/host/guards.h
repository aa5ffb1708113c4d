// Faults in a kernel end its launch with words: in arrays between pages that must not be touched, in blocks of the CUDA
// runtime (allocations.h), and anywhere else. So they do in host code that is run by `watch_host_code`. Part of
// <cladpy/host.h>. There an end of the program is a fault as well: by abort(), a failed assertion or exit().
#ifndef CLADPY_HOST_GUARDS_H
#define CLADPY_HOST_GUARDS_H

#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

// `count` elements of `size` bytes from `first` on, in memory from `begin` to `end` that is theirs alone. A first one that is
// null is that of an argument that has no memory.
struct cladpy_guard {
  const char *begin, *end, *first;
  unsigned long long count, size;
  const char *name;
};

namespace cladpy {
namespace host {

class Guards {
public:
  // From now on faults in these are failures of the running kernel; with none, faults are what they were before.
  void set(const cladpy_guard *list, std::size_t count) {
    if (installed_) {
      sigaltstack(&stack_before_, nullptr);
      remove();
    }
    list_ = list;
    count_ = count;
    if (!count) return;
    stand_on_own_stack(&stack_before_);
    install();
  }

  // For the time of a launch, where there are blocks, or of host code; whether `leave` is to follow. Several threads
  // may be here at once.
  bool enter(stack_t *stack_before) {
    pthread_mutex_lock(&mutex_);
    const bool entered = depth_ > 0 || !installed_;
    if (entered && depth_++ == 0) install();
    if (entered) stand_on_own_stack(stack_before);
    pthread_mutex_unlock(&mutex_);
    return entered;
  }
  void leave(const stack_t *stack_before) {
    pthread_mutex_lock(&mutex_);
    sigaltstack(stack_before, nullptr);
    if (--depth_ == 0) remove();
    pthread_mutex_unlock(&mutex_);
  }

  const cladpy_guard *find(const void *address) const {
    const char *at = static_cast<const char *>(address);
    for (std::size_t k = 0; k < count_; ++k)
      if (at >= list_[k].begin && at < list_[k].end) return &list_[k];
    return nullptr;
  }

private:
  void stand_on_own_stack(stack_t *before) {
    stack_t stack = {};
    stack.ss_sp = memory_;
    stack.ss_size = sizeof memory_;
    sigaltstack(&stack, before);
  }

  void install() {
    installed_ = true;
    struct sigaction action = {};
    action.sa_sigaction = &faulted;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER; // a failure leaves the handler for the scheduler
    for (int k = 0; k < kinds; ++k) sigaction(signals[k], &action, &before_[k]);
  }

  void remove() {
    installed_ = false;
    for (int k = 0; k < kinds; ++k) sigaction(signals[k], &before_[k], nullptr);
  }

  static void faulted(int signal, siginfo_t *info, void *context);

  static constexpr int kinds = 4;
  static constexpr int signals[kinds] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT}; // SIGILL: by checks of the compiler's
  const cladpy_guard *list_ = nullptr;
  std::size_t count_ = 0;
  bool installed_ = false;
  unsigned depth_ = 0;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  struct sigaction before_[kinds] = {};
  stack_t stack_before_ = {};
  char memory_[1 << 16];
};

CLADPY_HOST_HIDDEN inline Guards guards;

// Where host code of this thread goes when it faults.
// With an initialiser that is not zero it is apart from shared memory, which has none.
CLADPY_HOST_HIDDEN inline sigjmp_buf nowhere;
CLADPY_HOST_HIDDEN inline thread_local sigjmp_buf *landing = &nowhere;

// Where the program was at the last fault: the instruction, and behind the first one those that functions return to,
// as far as frames have pointers.
struct Trail {
  static constexpr int most = 24;
  std::uintptr_t places[most] = {};
  int count = 0;

  void follow(const void *context) {
    count = 0;
    std::uintptr_t frame = 0;
    const auto *at = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__) && defined(REG_RIP)
    places[count++] = static_cast<std::uintptr_t>(at->uc_mcontext.gregs[REG_RIP]);
    frame = static_cast<std::uintptr_t>(at->uc_mcontext.gregs[REG_RBP]);
#elif defined(__aarch64__)
    places[count++] = static_cast<std::uintptr_t>(at->uc_mcontext.pc);
    frame = static_cast<std::uintptr_t>(at->uc_mcontext.regs[29]);
#else
    (void)at;
#endif
#if defined(CLADPY_FRAMES) // compiled so that they have
    constexpr std::uintptr_t largest = 1 << 20;
    while (frame && frame % sizeof(void *) == 0 && count < most) {
      const auto *link = reinterpret_cast<const std::uintptr_t *>(frame);
      if (!link[1]) break;
      places[count++] = link[1] - 1;
      if (link[0] <= frame || link[0] - frame > largest) break;
      frame = link[0];
    }
#else
    (void)frame;
#endif
  }
};
CLADPY_HOST_HIDDEN inline Trail trail;

// A fault with words of its own, if the code is watched.
inline void end_watched(cudaError_t error, const char *text) {
  if (scheduler.running()) scheduler.fail(error, "%s", text);
  if (landing == &nowhere) return;
  keep_error(error, "in host code, %s", text);
  siglongjmp(*landing, 1);
}

inline void Guards::faulted(int signal, siginfo_t *info, void *context) {
  if (!scheduler.running() && !guards.count_ && landing == &nowhere) { // another thread's, and not ours to explain
    for (int k = 0; k < kinds; ++k)
      if (signal == signals[k]) sigaction(signal, &guards.before_[k], nullptr);
    return;
  }
  trail.follow(context);
  char text[320];
  const cladpy_guard *found = signal == SIGABRT ? nullptr : guards.find(info->si_addr);
  if (signal == SIGABRT) {
    std::snprintf(text, sizeof text, "abort() is called");
  } else if (signal == SIGILL) {
#if defined(CLADPY_FRAMES)
    std::snprintf(text, sizeof text, "an index is beyond an array of known length, or a container's end");
#else
    std::snprintf(text, sizeof text, "an instruction at %p is unknown to the processor", info->si_addr);
#endif
  } else if (!found && allocations.explain(info->si_addr, text, sizeof text)) {
    // a block of the CUDA runtime
  } else if (found && !found->first) {
    std::snprintf(text, sizeof text, "'%s' is null, and is used", found->name);
  } else if (found) {
    const long long bytes = static_cast<const char *>(info->si_addr) - found->first;
    const long long size = static_cast<long long>(found->size);
    const long long element = bytes >= 0 ? bytes / size : -((-bytes + size - 1) / size);
    std::snprintf(text, sizeof text, "element %lld of '%s' is used, which has %llu elements", element, found->name,
                  found->count);
  } else {
    std::snprintf(text, sizeof text, "memory that is in no argument is used (%p)", info->si_addr);
  }
  if (scheduler.running())
    scheduler.fail(cudaErrorIllegalAddress, "in block (%u, %u, %u) thread (%u, %u, %u), %s", ::blockIdx.x, ::blockIdx.y,
                   ::blockIdx.z, ::threadIdx.x, ::threadIdx.y, ::threadIdx.z, text);
  end_watched(cudaErrorIllegalAddress, text);
  // A function of the host that nobody watches has nowhere to go back to.
  std::fprintf(stderr, "error: %s\n", text);
  _exit(1);
}

// Runs host code; a fault ends it, and is the last error then. What it holds is not released.
template <class Run> void watch_host_code(const Run &run) {
  struct Watch {
    Watch() : outer(landing), entered(guards.enter(&stack_before)) {}
    ~Watch() {
      landing = outer;
      if (entered) guards.leave(&stack_before);
    }
    stack_t stack_before = {};
    sigjmp_buf *outer;
    bool entered;
  } watch;
  sigjmp_buf place;
  if (sigsetjmp(place, 1)) return;
  landing = &place;
  run();
}

} // namespace host
} // namespace cladpy

extern "C" {
#if defined(CLADPY_HOST_WRAPS_EXIT) // the linker leads the program's calls here (--wrap)
#define CLADPY_HOST_WRAPPED(name)                                                        \
  [[noreturn]] void __real_##name(int code);                                             \
  [[noreturn]] __attribute__((used)) inline void __wrap_##name(int code) {               \
    char text[64];                                                                       \
    std::snprintf(text, sizeof text, #name "(%d) is called", code);                      \
    cladpy::host::end_watched(cudaErrorLaunchFailure, text);                             \
    __real_##name(code);                                                                 \
  }
CLADPY_HOST_WRAPPED(exit)
CLADPY_HOST_WRAPPED(_exit)
CLADPY_HOST_WRAPPED(_Exit)
CLADPY_HOST_WRAPPED(quick_exit)
#undef CLADPY_HOST_WRAPPED
#endif
#if defined(CLADPY_HOST_WRAPS_ASSERTIONS) // and those of the C++ library, such as that an index is in a vector
[[noreturn]] __attribute__((used)) inline void __wrap__ZSt21__glibcxx_assert_failPKciS0_S0_(const char *, int, const char *,
                                                                                           const char *) {
  __builtin_trap();
}
#endif
// The list must live until it is replaced; an empty one ends the watch.
__attribute__((used, visibility("default"))) inline void cladpy_host_guard(const cladpy_guard *list,
                                                                            unsigned long long count) {
  cladpy::host::guards.set(list, static_cast<std::size_t>(count));
}
// Where the program was at the last fault since it was asked for: addresses, of which at most so many are written.
__attribute__((used, visibility("default"))) inline int cladpy_host_trail(unsigned long long *places, int most) {
  int count = 0;
  for (; count < most && count < cladpy::host::trail.count; ++count) places[count] = cladpy::host::trail.places[count];
  cladpy::host::trail.count = 0;
  return count;
}
}

#endif
