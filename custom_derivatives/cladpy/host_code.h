// What stands for calls of the system in host code.
#pragma once

#include <chrono>
#include <stdexcept>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace cladpy {

// What text and streams are where nothing asks what they hold.
struct aside {};

#ifdef __CUDACC_RTC__
// NVRTC has nothing of the host's.
[[noreturn]] __device__ inline void fail(const char *) {
  __trap();
  for (;;) {}
}
#else
// The program ends by an exception, exit() or abort(): there is no gradient, and the caller learns why.
[[noreturn]] inline void fail(const char *why) { throw std::runtime_error(why); }

// What the clocks of std::chrono show.
inline long nanoseconds() {
  return static_cast<long>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count());
}

// How many threads run a region of OpenMP's that asks for so many; with zero, for none in particular.
inline int team(int asked) {
  int size = 1;
#ifdef _OPENMP
  if (asked == 0) asked = omp_get_max_threads();
#pragma omp parallel num_threads(asked)
#pragma omp single
  size = omp_get_num_threads();
#endif
  (void)asked;
  return size;
}

#if defined(__HIPCC__) && !defined(CLADPY_HOST_H)
#define CLADPY_ASK(name) hip##name
#else
#define CLADPY_ASK(name) cuda##name
#endif
#if defined(__CUDACC__) || defined(__HIPCC__) || defined(CLADPY_HOST_H)
// How a kernel would run: these do not change while a program runs.
template <class F, F &kernel>
inline int resident_blocks(int block, unsigned long shared_mem) {
  int blocks = 0;
  (void)CLADPY_ASK(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, &kernel, block, shared_mem);
  return blocks;
}
template <class F, F &kernel>
inline int least_grid(unsigned long shared_mem, int limit) {
  int grid = 0, block = 0;
  (void)CLADPY_ASK(OccupancyMaxPotentialBlockSize)(&grid, &block, &kernel, shared_mem, limit);
  return grid;
}
template <class F, F &kernel>
inline int best_block(unsigned long shared_mem, int limit) {
  int grid = 0, block = 0;
  (void)CLADPY_ASK(OccupancyMaxPotentialBlockSize)(&grid, &block, &kernel, shared_mem, limit);
  return block;
}
template <class F, F &kernel>
inline int kernel_attribute(int which) {
  CLADPY_ASK(FuncAttributes) attributes;
  if (CLADPY_ASK(FuncGetAttributes)(&attributes, reinterpret_cast<const void *>(&kernel)) != CLADPY_ASK(Success)) return 0;
  const int values[] = {int(attributes.sharedSizeBytes), int(attributes.constSizeBytes), int(attributes.localSizeBytes),
                        attributes.maxThreadsPerBlock, attributes.numRegs};
  return values[which];
}
inline unsigned long free_memory() {
  size_t available = 0, total = 0;
  (void)CLADPY_ASK(MemGetInfo)(&available, &total);
  return available;
}
inline unsigned long total_memory() {
  size_t available = 0, total = 0;
  (void)CLADPY_ASK(MemGetInfo)(&available, &total);
  return total;
}
#endif

#if defined(__CUDACC__) || defined(CLADPY_HOST_H)
// A property of a device, which does not change.
inline int device_attribute(int which, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(which), device);
  return value;
}
#elif defined(__HIPCC__)
// The same, by the number that it has in CUDA.
inline int device_attribute(int which, int device) {
  hipDeviceAttribute_t attribute;
  switch (which) {
  case 1: attribute = hipDeviceAttributeMaxThreadsPerBlock; break;
  case 2: attribute = hipDeviceAttributeMaxBlockDimX; break;
  case 3: attribute = hipDeviceAttributeMaxBlockDimY; break;
  case 4: attribute = hipDeviceAttributeMaxBlockDimZ; break;
  case 5: attribute = hipDeviceAttributeMaxGridDimX; break;
  case 6: attribute = hipDeviceAttributeMaxGridDimY; break;
  case 7: attribute = hipDeviceAttributeMaxGridDimZ; break;
  case 8: attribute = hipDeviceAttributeMaxSharedMemoryPerBlock; break;
  case 10: return 32; // what a warp has, whatever the device
  case 12: attribute = hipDeviceAttributeMaxRegistersPerBlock; break;
  case 13: attribute = hipDeviceAttributeClockRate; break;
  case 16: attribute = hipDeviceAttributeMultiprocessorCount; break;
  case 39: attribute = hipDeviceAttributeMaxThreadsPerMultiProcessor; break;
  case 75: attribute = hipDeviceAttributeComputeCapabilityMajor; break;
  case 76: attribute = hipDeviceAttributeComputeCapabilityMinor; break;
  case 97: attribute = hipDeviceAttributeMaxSharedMemoryPerBlock; break; // more is not asked for
  default: throw std::runtime_error("a property of the device that HIP does not have");
  }
  int value = 0;
  if (hipDeviceGetAttribute(&value, attribute, device) != hipSuccess)
    throw std::runtime_error("the properties of the device cannot be read");
  return value;
}
#endif
#endif  // __CUDACC_RTC__

} // namespace cladpy

#if defined(__HIPCC__) && !defined(CLADPY_HOST_H)
// Emitted code says streams and events by the names that CUDA has for what they are.
typedef ihipStream_t CUstream_st;
typedef ihipEvent_t CUevent_st;
#endif
