// The threads of the operating system that run the blocks of a launch. Part of <cladpy/host.h>.
//
// A launch is divided into pieces, runs of consecutive blocks, whose number depends on the grid alone. The thread that
// launches takes one after the other; others help where there is more to do than it takes to wake them. They are made
// when they are first needed, wait for more, and end after a while without. CLADPY_HOST_THREADS says how many threads
// there are in all, else it is as many as the process may use cores.
#ifndef CLADPY_HOST_WORKERS_H
#define CLADPY_HOST_WORKERS_H

#if !defined(CLADPY_HOST_FIBERS)

#include <pthread.h>
#include <sched.h>
#include <signal.h>

namespace cladpy {
namespace host {

// Whether another thread runs blocks of the same launch: otherwise an atomic operation is a plain one.
CLADPY_HOST_HIDDEN inline bool among_workers = false;

// What a thread does that has run all that it could of a launch, and what it holds that has run blocks: given back where it ends.
void end_part();
void leave_worker();

class Workers {
public:
  static constexpr unsigned most = 256;

  // Calls run(context, k) for each k below `pieces`, each once; `large` says that help is needed from the start.
  void run(unsigned pieces, bool large, void (*run)(void *context, unsigned piece), void *context) {
    pthread_mutex_lock(&launching_);
    run_ = run;
    context_ = context;
    pieces_ = pieces;
    __atomic_store_n(&next_, 0u, __ATOMIC_RELAXED);
    bool helped = (large || always()) && pieces > 1 && wake();
    const std::int64_t begun = helped || pieces == 1 ? 0 : now();
    while (true) {
      const unsigned piece = __atomic_fetch_add(&next_, 1u, __ATOMIC_RELAXED);
      if (piece >= pieces) break;
      run(context, piece);
      if (!helped && piece + 1 < pieces && now() - begun > worth_waking) helped = wake();
    }
    if (helped) {
      end_part();
      pthread_mutex_lock(&mutex_);
      open_ = false;
      while (busy_) pthread_cond_wait(&done_, &mutex_);
      among_workers = false;
      pthread_mutex_unlock(&mutex_);
    }
    pthread_mutex_unlock(&launching_);
  }

  // How many threads run blocks, the one that launches among them.
  static unsigned count() {
    if (const char *text = std::getenv("CLADPY_HOST_THREADS")) {
      const long asked = std::strtol(text, nullptr, 10);
      if (asked > 0) return asked < long(most) ? unsigned(asked) : most;
    }
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
      return unsigned(CPU_COUNT(&set)) < most ? unsigned(CPU_COUNT(&set)) : most;
#endif
    return 1;
  }

  // Whether others help with what is small as well: for tests.
  static bool always() {
    const char *text = std::getenv("CLADPY_HOST_WAKE");
    return text && *text;
  }

  // At the end of the process, or where the library is unloaded. A launch that still runs in another thread is left alone.
  ~Workers() {
    if (pthread_mutex_trylock(&launching_) != 0) return;
    pthread_mutex_lock(&mutex_);
    ending_ = true;
    pthread_cond_broadcast(&wake_);
    while (there_) pthread_cond_wait(&done_, &mutex_);
    pthread_mutex_unlock(&mutex_);
  }

private:
  static constexpr std::int64_t worth_waking = 20000, patience = 2; // nanoseconds; seconds

  static std::int64_t now() {
    std::timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
  }

  // Opens the launch to the others; whether there are any.
  bool wake() {
    pthread_mutex_lock(&mutex_);
    if (!watching_) {
      watching_ = true;
      pthread_atfork(nullptr, nullptr, [] { forked(); });
    }
    const unsigned wanted = count() - 1;
    while (there_ < wanted && begin()) there_ += 1;
    const bool any = there_ > 0 && wanted > 0;
    if (any) {
      among_workers = true;
      open_ = true;
      number_ += 1;
      pthread_cond_broadcast(&wake_);
    }
    pthread_mutex_unlock(&mutex_);
    return any;
  }

  // Signals are for the program's own threads.
  bool begin() {
    sigset_t all, before;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    const int failed = pthread_create(&thread, &attributes, [](void *all) { return static_cast<Workers *>(all)->help(); }, this);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return !failed;
  }

  void *help();

  // In the child of a fork there is no other thread, and nobody to be watched.
#if defined(CLADPY_HOST_WATCHED_WORKERS)
  __attribute__((no_sanitize("thread")))
#endif
  static void forked();

  pthread_mutex_t launching_ = PTHREAD_MUTEX_INITIALIZER, mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake_ = PTHREAD_COND_INITIALIZER, done_ = PTHREAD_COND_INITIALIZER;
  void (*run_)(void *, unsigned) = nullptr;
  void *context_ = nullptr;
  unsigned pieces_ = 0, next_ = 0;
  unsigned there_ = 0, busy_ = 0, number_ = 0; // the number tells launches apart
  bool open_ = false, ending_ = false, watching_ = false;
};

CLADPY_HOST_HIDDEN inline Workers workers;


inline void *Workers::help() {
  unsigned seen = 0;
  pthread_mutex_lock(&mutex_);
  while (!ending_) {
    if (!open_ || number_ == seen) {
      std::timespec until;
      clock_gettime(CLOCK_REALTIME, &until);
      until.tv_sec += patience;
      if (pthread_cond_timedwait(&wake_, &mutex_, &until) != 0 && !(open_ && number_ != seen)) break;
      continue;
    }
    seen = number_;
    busy_ += 1;
    pthread_mutex_unlock(&mutex_);
    while (true) {
      const unsigned piece = __atomic_fetch_add(&next_, 1u, __ATOMIC_RELAXED);
      if (piece >= pieces_) break;
      run_(context_, piece);
    }
    end_part();
    pthread_mutex_lock(&mutex_);
    busy_ -= 1;
    if (!busy_) pthread_cond_broadcast(&done_);
  }
  pthread_mutex_unlock(&mutex_);
  leave_worker();
  pthread_mutex_lock(&mutex_);
  there_ -= 1;
  pthread_cond_broadcast(&done_);
  pthread_mutex_unlock(&mutex_);
  return nullptr;
}

inline void Workers::forked() {
  Workers *const all = &workers;
  all->launching_ = all->mutex_ = PTHREAD_MUTEX_INITIALIZER;
  all->wake_ = all->done_ = PTHREAD_COND_INITIALIZER;
  all->there_ = all->busy_ = 0;
  all->open_ = false;
  among_workers = false;
}

} // namespace host
} // namespace cladpy

#endif

#endif
