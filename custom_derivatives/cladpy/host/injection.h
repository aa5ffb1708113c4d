// Calls of the CUDA runtime that are made to fail, so that a test can look at what a program does then. Part of
// <cladpy/host.h>.
//
//   cladpy::host::fail_at(3);   // the third call from here on returns an error; 0 lets all go well
//
// Allocations, copies, memory that is set, launches, streams and events that are made, and synchronisation count; frees
// and questions do not. The environment variable CLADPY_HOST_FAIL_AT asks for the same from the start.
#ifndef CLADPY_HOST_INJECTION_H
#define CLADPY_HOST_INJECTION_H

namespace cladpy {
namespace host {

struct Injection {
  unsigned long long calls = 0;
  unsigned long long fail_at = 0;

  Injection() {
    if (const char *text = std::getenv("CLADPY_HOST_FAIL_AT")) fail_at = std::strtoull(text, nullptr, 10);
  }
};
CLADPY_HOST_HIDDEN inline Injection injection;

inline void fail_at(unsigned long long call) {
  __atomic_store_n(&injection.calls, 0ull, __ATOMIC_RELAXED);
  __atomic_store_n(&injection.fail_at, call, __ATOMIC_RELAXED);
}

// Counts a call; `error` where it is the one that fails.
inline cudaError_t count_call(const char *name, cudaError_t error) {
  const unsigned long long call = __atomic_add_fetch(&injection.calls, 1ull, __ATOMIC_RELAXED);
  if (call != __atomic_load_n(&injection.fail_at, __ATOMIC_RELAXED)) return cudaSuccess;
  return keep_error(error, "%s was made to fail: it is call %llu of the runtime", name, call);
}

} // namespace host
} // namespace cladpy

extern "C" {
__attribute__((used, visibility("default"))) inline void cladpy_host_fail_at(unsigned long long call) {
  cladpy::host::fail_at(call);
}
// How many calls were counted since cladpy_host_fail_at.
__attribute__((used, visibility("default"))) inline unsigned long long cladpy_host_calls() {
  return __atomic_load_n(&cladpy::host::injection.calls, __ATOMIC_RELAXED);
}
}

#endif
