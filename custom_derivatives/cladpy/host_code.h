// What stands for calls of the system in host code.
#pragma once

#include <chrono>
#include <stdexcept>

namespace cladpy {

// What text and streams are where nothing asks what they hold.
struct aside {};

// The program ends by an exception, exit() or abort(): there is no gradient, and the caller learns why.
[[noreturn]] inline void fail(const char *why) { throw std::runtime_error(why); }

// What the clocks of std::chrono show.
inline long nanoseconds() {
  return static_cast<long>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count());
}

#if defined(__CUDACC__) || defined(CLADPY_HOST_H)
// A property of a device, which does not change.
inline int device_attribute(int which, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(which), device);
  return value;
}
#endif

} // namespace cladpy
