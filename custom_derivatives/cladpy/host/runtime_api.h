// A subset of the CUDA runtime API on plain memory. Part of <cladpy/host.h>.
//
// Everything is done when a call returns: streams and events keep no order that is not there already.
#ifndef CLADPY_HOST_RUNTIME_API_H
#define CLADPY_HOST_RUNTIME_API_H

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};
enum : unsigned int {
  cudaStreamDefault = 0,
  cudaStreamNonBlocking = 1,
  cudaEventDefault = 0,
  cudaEventBlockingSync = 1,
  cudaEventDisableTiming = 2,
  cudaMemAttachGlobal = 1,
  cudaHostAllocDefault = 0,
  cudaHostAllocMapped = 2,
};

struct CUevent_st {
  long long nanoseconds;
};
typedef CUevent_st *cudaEvent_t;
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(0x2))

struct cudaDeviceProp {
  char name[256];
  std::size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, totalConstMem;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], major, minor, multiProcessorCount,
      maxThreadsPerMultiProcessor, l2CacheSize;
};

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
};

inline const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define CLADPY_HOST_NAME(name)                                                                                         \
  case name: return #name;
    CLADPY_HOST_NAME(cudaSuccess)
    CLADPY_HOST_NAME(cudaErrorInvalidValue)
    CLADPY_HOST_NAME(cudaErrorMemoryAllocation)
    CLADPY_HOST_NAME(cudaErrorInitializationError)
    CLADPY_HOST_NAME(cudaErrorInvalidConfiguration)
    CLADPY_HOST_NAME(cudaErrorInvalidSymbol)
    CLADPY_HOST_NAME(cudaErrorInvalidDevicePointer)
    CLADPY_HOST_NAME(cudaErrorInvalidMemcpyDirection)
    CLADPY_HOST_NAME(cudaErrorNoDevice)
    CLADPY_HOST_NAME(cudaErrorInvalidDevice)
    CLADPY_HOST_NAME(cudaErrorInvalidResourceHandle)
    CLADPY_HOST_NAME(cudaErrorNotReady)
    CLADPY_HOST_NAME(cudaErrorIllegalAddress)
    CLADPY_HOST_NAME(cudaErrorLaunchTimeout)
    CLADPY_HOST_NAME(cudaErrorAssert)
    CLADPY_HOST_NAME(cudaErrorLaunchFailure)
    CLADPY_HOST_NAME(cudaErrorNotSupported)
    CLADPY_HOST_NAME(cudaErrorUnknown)
#undef CLADPY_HOST_NAME
  }
  return "unrecognized error code";
}
inline const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return "no error";
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorInvalidConfiguration: return "invalid configuration argument";
  case cudaErrorAssert: return "device-side assert triggered";
  case cudaErrorLaunchFailure: return "unspecified launch failure";
  case cudaErrorNotSupported: return "operation not supported";
  default: return cudaGetErrorName(error);
  }
}
inline cudaError_t cudaPeekAtLastError() { return cladpy::host::last_error; }
inline cudaError_t cudaGetLastError() {
  const cudaError_t error = cladpy::host::last_error;
  cladpy::host::last_error = cudaSuccess;
  return error;
}

// ---- memory ----

// Fresh memory holds the bytes 0xff (NaN as floating numbers), so that reading it is seen.
template <class T> cudaError_t cudaMalloc(T **pointer, std::size_t bytes) {
  if (!pointer) return cladpy::host::keep_error(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (!bytes) return cudaSuccess;
  if (bytes > SIZE_MAX - 256) return cladpy::host::keep_error(cudaErrorMemoryAllocation);
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory) return cladpy::host::keep_error(cudaErrorMemoryAllocation);
  std::memset(memory, 0xff, bytes);
  *pointer = static_cast<T *>(memory);
  return cudaSuccess;
}
inline cudaError_t cudaFree(void *pointer) {
  std::free(pointer);
  return cudaSuccess;
}
template <class T> cudaError_t cudaMallocAsync(T **pointer, std::size_t bytes, cudaStream_t) {
  return cudaMalloc(pointer, bytes);
}
inline cudaError_t cudaFreeAsync(void *pointer, cudaStream_t) { return cudaFree(pointer); }
template <class T> cudaError_t cudaMallocManaged(T **pointer, std::size_t bytes, unsigned = cudaMemAttachGlobal) {
  return cudaMalloc(pointer, bytes);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, std::size_t bytes, unsigned = 0) {
  return cudaMalloc(pointer, bytes);
}
template <class T> cudaError_t cudaHostAlloc(T **pointer, std::size_t bytes, unsigned) {
  return cudaMalloc(pointer, bytes);
}
inline cudaError_t cudaFreeHost(void *pointer) { return cudaFree(pointer); }
template <class T>
cudaError_t cudaMallocPitch(T **pointer, std::size_t *pitch, std::size_t width, std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(pointer, *pitch * height);
}

inline cudaError_t cudaMemcpy(void *target, const void *source, std::size_t bytes, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cladpy::host::keep_error(cudaErrorInvalidMemcpyDirection);
  if (bytes && (!target || !source)) return cladpy::host::keep_error(cudaErrorInvalidValue);
  if (bytes) std::memmove(target, source, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void *target, const void *source, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr) {
  return cudaMemcpy(target, source, bytes, kind);
}
inline cudaError_t cudaMemcpy2D(void *target, std::size_t target_pitch, const void *source, std::size_t source_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  if (width > target_pitch || width > source_pitch) return cladpy::host::keep_error(cudaErrorInvalidValue);
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error = cudaMemcpy(static_cast<char *>(target) + row * target_pitch,
                                         static_cast<const char *>(source) + row * source_pitch, width, kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy2DAsync(void *target, std::size_t target_pitch, const void *source,
                                     std::size_t source_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpy2D(target, target_pitch, source, source_pitch, width, height, kind);
}
inline cudaError_t cudaMemcpyPeer(void *target, int, const void *source, int, std::size_t bytes) {
  return cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyPeerAsync(void *target, int, const void *source, int, std::size_t bytes,
                                       cudaStream_t = nullptr) {
  return cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemset(void *target, int value, std::size_t bytes) {
  if (bytes && !target) return cladpy::host::keep_error(cudaErrorInvalidValue);
  if (bytes) std::memset(target, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *target, int value, std::size_t bytes, cudaStream_t = nullptr) {
  return cudaMemset(target, value, bytes);
}
inline cudaError_t cudaMemset2D(void *target, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  if (width > pitch) return cladpy::host::keep_error(cudaErrorInvalidValue);
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error = cudaMemset(static_cast<char *>(target) + row * pitch, value, width);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemset2DAsync(void *target, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                     cudaStream_t = nullptr) {
  return cudaMemset2D(target, pitch, value, width, height);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *source, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  if (offset > sizeof(T) || bytes > sizeof(T) - offset) return cladpy::host::keep_error(cudaErrorInvalidValue);
  return cudaMemcpy(reinterpret_cast<char *>(&symbol) + offset, source, bytes, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *target, const T &symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  if (offset > sizeof(T) || bytes > sizeof(T) - offset) return cladpy::host::keep_error(cudaErrorInvalidValue);
  return cudaMemcpy(target, reinterpret_cast<const char *>(&symbol) + offset, bytes, kind);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, T &symbol) {
  *pointer = const_cast<void *>(static_cast<const void *>(&symbol));
  return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(std::size_t *available, std::size_t *total) {
  *total = *available = std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
  return cudaSuccess;
}

// ---- devices ----

inline cudaError_t cudaDeviceSynchronize() { return cladpy::host::last_error; }
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : cladpy::host::keep_error(cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return cladpy::host::keep_error(cudaErrorInvalidDevice);
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
  case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 * 1024; break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(cladpy::host::max_shared_bytes); break;
  case cudaDevAttrWarpSize: *value = 32; break;
  case cudaDevAttrMultiProcessorCount: *value = 1; break;
  case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
  case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
  default: return cladpy::host::keep_error(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (device != 0) return cladpy::host::keep_error(cudaErrorInvalidDevice);
  std::size_t available;
  *properties = cudaDeviceProp{};
  std::snprintf(properties->name, sizeof properties->name, "cladpy host executor");
  cudaMemGetInfo(&available, &properties->totalGlobalMem);
  properties->sharedMemPerBlock = 48 * 1024;
  properties->sharedMemPerBlockOptin = cladpy::host::max_shared_bytes;
  properties->totalConstMem = 64 * 1024;
  properties->regsPerBlock = 65536;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = properties->maxThreadsPerMultiProcessor = 1024;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = INT_MAX;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->major = 9;
  properties->multiProcessorCount = 1;
  return cudaSuccess;
}
template <class F> cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int) { return cudaSuccess; }
template <class F> cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache) { return cudaSuccess; }
template <class F> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *) {
  *attributes = cudaFuncAttributes{};
  attributes->maxThreadsPerBlock = 1024;
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *, int, std::size_t) {
  *blocks = 1;
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *, std::size_t = 0, int limit = 0) {
  *grid = 1;
  *block = limit > 0 && limit < 1024 ? limit : 1024;
  return cudaSuccess;
}

// ---- streams and events ----

inline cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  *stream = reinterpret_cast<cudaStream_t>(new char);
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) { return cudaStreamCreate(stream); }
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete reinterpret_cast<char *>(stream);
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cladpy::host::last_error; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cladpy::host::last_error; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t *event) {
  *event = new CUevent_st{0};
  return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return cudaEventCreate(event); }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
  event->nanoseconds = clock64();
  return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cladpy::host::last_error; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cladpy::host::last_error; }
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds = static_cast<float>(double(end->nanoseconds - start->nanoseconds) * 1e-6);
  return cudaSuccess;
}

#endif
