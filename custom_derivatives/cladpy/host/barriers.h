// Barriers, fences and clocks. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_BARRIERS_H
#define CLADPY_HOST_BARRIERS_H

inline void __syncthreads() { cladpy::host::scheduler.barrier("__syncthreads()", 0, 0); }
inline int __syncthreads_count(int predicate) {
  return cladpy::host::scheduler.barrier("__syncthreads_count()", 0, predicate);
}
inline int __syncthreads_and(int predicate) {
  return cladpy::host::scheduler.barrier("__syncthreads_and()", 1, predicate);
}
inline int __syncthreads_or(int predicate) {
  return cladpy::host::scheduler.barrier("__syncthreads_or()", 2, predicate);
}

// Threads of a block run one at a time and see each other's stores at once; other blocks may run on another core.
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() {}
inline void __threadfence_cluster() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __nanosleep(unsigned int) {}

inline long long int clock64() {
  std::timespec now;
  std::timespec_get(&now, TIME_UTC);
  return static_cast<long long int>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

// Ends the kernel with an error, or the program outside one.
[[noreturn]] inline void __trap() {
  if (cladpy::host::scheduler.running()) cladpy::host::scheduler.fail(cudaErrorLaunchFailure, "the kernel called __trap()");
  std::abort();
}
inline void __brkpt() {}
inline void __prof_trigger(int) {}

#if defined(__GLIBC__)
// A failed assert ends the launch, or the host code that is watched, not the process. The macro of <assert.h> is expanded where it is used.
extern "C" [[noreturn]] inline void cladpy_host_assert_fail(const char *condition, const char *file, unsigned int line,
                                                            const char *function) noexcept {
  if (cladpy::host::scheduler.running())
    cladpy::host::scheduler.fail(cudaErrorAssert, "%s:%u: %s: assertion `%s' failed in block (%u, %u, %u), thread (%u, %u, %u)",
                                 file, line, function, condition, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
                                 threadIdx.y, threadIdx.z);
  char text[320];
  std::snprintf(text, sizeof text, "%s:%u: %s: assertion `%s' failed", file, line, function, condition);
  cladpy::host::end_watched(cudaErrorAssert, text);
  std::fprintf(stderr, "%s\n", text);
  std::abort();
}
#define __assert_fail cladpy_host_assert_fail
#endif

#endif
