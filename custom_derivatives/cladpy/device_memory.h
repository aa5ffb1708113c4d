// Memory of the device for what a host program's gradient keeps. A driver takes longer to give memory than many a kernel takes
// to fill it, so what a gradient has given back waits for the next one: up to a sixteenth of the device's memory, in a pool of
// our own. Where there are no pools, each block comes from the driver and goes back to it. A program that resets the device
// takes the pool away unasked, which the next block finds out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace cladpy {

#if defined(__CUDACC__) && !defined(CLADPY_HOST_H) && !defined(__HIPCC__) && CUDART_VERSION >= 11020

class device_memory {
 public:
  // Memory that may be used by what comes later in the default stream.
  static cudaError_t take(void **memory, std::size_t bytes) {
    const cudaMemPool_t from = pool();
    if (!from) return cudaMalloc(memory, bytes);
    const cudaError_t error = cudaMallocFromPoolAsync(memory, bytes, from, nullptr);
    const bool is_gone =
        error == cudaErrorInvalidValue || error == cudaErrorInvalidResourceHandle || error == cudaErrorContextIsDestroyed;
    if (!is_gone && error != cudaErrorMemoryAllocation) return error;
    (void)cudaGetLastError();
    if (!is_gone) keep_at_most(0);  // what waits may lie in pieces that are too small
    const cudaMemPool_t again = pool(is_gone ? from : nullptr);
    return again ? cudaMallocFromPoolAsync(memory, bytes, again, nullptr) : cudaMalloc(memory, bytes);
  }
  // After all that has been put into the default stream.
  static void give(void *memory) {
    if (pool() && cudaFreeAsync(memory, nullptr) == cudaSuccess) return;
    (void)cudaGetLastError();
    (void)cudaFree(memory);
  }
  // Called when a gradient is done.
  static void rest() {
    std::size_t available = 0, total = 0;
    if (pool() && cudaMemGetInfo(&available, &total) == cudaSuccess) keep_at_most(total / 16);
  }
  static void keep_at_most(std::uint64_t bytes) {
    std::uint64_t reserved = 0;
    const cudaMemPool_t from = pool();
    if (!from) return;
    if (cudaMemPoolGetAttribute(from, cudaMemPoolAttrReservedMemCurrent, &reserved) != cudaSuccess) {
      (void)cudaGetLastError();
    } else if (reserved > bytes) {
      (void)cudaStreamSynchronize(nullptr);
      (void)cudaMemPoolTrimTo(from, bytes);
    }
  }

 private:
  // The current device's; a new one if that is `gone`.
  static cudaMemPool_t pool(cudaMemPool_t gone = nullptr) {
    static std::mutex guard;
    static std::map<int, cudaMemPool_t> pools;
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return nullptr;
    const std::lock_guard<std::mutex> lock(guard);
    const auto known = pools.find(device);
    const bool is_there = known != pools.end() && !(gone && known->second == gone);
    return is_there ? known->second : pools[device] = made(device);
  }
  static cudaMemPool_t made(int device) {
    int supported = 0;
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t created = nullptr;
    std::uint64_t all = UINT64_MAX;
    if (cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device) == cudaSuccess && supported &&
        cudaMemPoolCreate(&created, &properties) == cudaSuccess &&
        cudaMemPoolSetAttribute(created, cudaMemPoolAttrReleaseThreshold, &all) == cudaSuccess)
      return created;
    (void)cudaGetLastError();
    return nullptr;
  }
};

#else

struct device_memory {
  static runtime_error_t take(void **memory, std::size_t bytes) { return CLADPY_RUNTIME(Malloc)(memory, bytes); }
  static void give(void *memory) { (void)CLADPY_RUNTIME(Free)(memory); }
  static void rest() {}
};

#endif

} // namespace cladpy
