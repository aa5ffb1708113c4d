// The CUDA runtime API beside its memory: errors, devices, kernels, streams and events. Part of <cladpy/host.h>.
//
// Everything is done when a call returns: streams and events keep no order that is not there already.
#ifndef CLADPY_HOST_RUNTIME_API_H
#define CLADPY_HOST_RUNTIME_API_H

struct CUevent_st {
  long long nanoseconds;
};
typedef CUevent_st *cudaEvent_t;

struct cudaDeviceProp {
  char name[256];
  std::size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor, totalConstMem,
      memPitch, textureAlignment, texturePitchAlignment, surfaceAlignment, reservedSharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], major, minor, multiProcessorCount,
      integrated, canMapHostMemory, concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
      asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
      maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported,
      regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
      pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
      cooperativeLaunch, pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
      maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize, hostRegisterSupported, memoryPoolsSupported, clusterLaunch,
      clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode; // the last five until CUDA 12
};

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout;
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
    CLADPY_HOST_NAME(cudaErrorLaunchOutOfResources)
    CLADPY_HOST_NAME(cudaErrorLaunchTimeout)
    CLADPY_HOST_NAME(cudaErrorAssert)
    CLADPY_HOST_NAME(cudaErrorLaunchFailure)
    CLADPY_HOST_NAME(cudaErrorNotSupported)
    CLADPY_HOST_NAME(cudaErrorUnknown)
#undef CLADPY_HOST_NAME
  default: return "unrecognized error code"; // none that is given here
  }
}
inline const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return "no error";
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorInvalidConfiguration: return "invalid configuration argument";
  case cudaErrorAssert: return "device-side assert triggered";
  case cudaErrorInvalidMemcpyDirection: return "invalid copy direction for memcpy";
  case cudaErrorInvalidDevice: return "invalid device ordinal";
  case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
  case cudaErrorLaunchOutOfResources: return "too many resources requested for launch";
  case cudaErrorLaunchFailure: return "unspecified launch failure";
  case cudaErrorNotSupported: return "operation not supported";
  default: return cudaGetErrorName(error);
  }
}
inline cudaError_t cudaPeekAtLastError() { return cladpy::host::last_error; }
inline cudaError_t cudaGetLastError() {
  const cudaError_t error = cladpy::host::last_error;
  if (error == cudaSuccess) cladpy::host::last_error_text[0] = 0;
  cladpy::host::last_error = cudaSuccess;
  return error;
}

// ---- devices ----

namespace cladpy {
namespace host {

// What a kernel did wrong; what any other call did wrong it has said itself.
inline cudaError_t error_of_launches() { return text_is_of_launch ? last_error : cudaSuccess; }

// All that was asked for is done already.
inline cudaError_t synchronized(const char *name) {
  const cudaError_t injected = count_call(name, cudaErrorLaunchFailure);
  return injected != cudaSuccess ? injected : error_of_launches();
}

} // namespace host
} // namespace cladpy

inline cudaError_t cudaDeviceSynchronize() { return cladpy::host::synchronized("cudaDeviceSynchronize"); }
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaSuccess; }
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
inline cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetLimit(std::size_t *value, cudaLimit) {
  *value = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceDisablePeerAccess(int) { return cladpy::host::keep_error(cudaErrorInvalidDevice); }
inline cudaError_t cudaDeviceCanAccessPeer(int *possible, int, int) {
  *possible = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cladpy::host::keep_error(cudaErrorInvalidDevice); }
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
  case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 1024; break;
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY: *value = 1024; break;
  case cudaDevAttrMaxBlockDimZ: *value = 64; break;
  case cudaDevAttrMaxGridDimX: *value = INT_MAX; break;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ: *value = 65535; break;
  case cudaDevAttrTotalConstantMemory:
  case cudaDevAttrMaxRegistersPerBlock: *value = 65536; break;
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrConcurrentManagedAccess: *value = 1; break;
  case cudaDevAttrCooperativeLaunch: *value = 0; break;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = int(cladpy::host::max_shared_bytes); break;
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
  properties->sharedMemPerMultiprocessor = cladpy::host::max_shared_bytes;
  properties->totalConstMem = 64 * 1024;
  properties->memPitch = INT_MAX;
  properties->canMapHostMemory = properties->unifiedAddressing = properties->managedMemory = 1;
  properties->regsPerMultiprocessor = 65536;
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
template <class F> cudaError_t cudaFuncSetSharedMemConfig(F *, cudaSharedMemConfig) { return cudaSuccess; }
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

template <class F, class S>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F *kernel, S, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, 0, limit);
}

// ---- launches by a function ----

template <class... Parameters, std::size_t... I>
cudaError_t cladpy_host_launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **arguments,
                               std::size_t shared, cudaStream_t stream, std::index_sequence<I...>) {
  (void)arguments;
  return cladpy::host::launch(grid, block, shared, stream, [&] {
    kernel(*static_cast<std::remove_reference_t<Parameters> *>(arguments[I])...);
  });
}
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **arguments,
                             std::size_t shared = 0, cudaStream_t stream = nullptr) {
  return cladpy_host_launch(kernel, grid, block, arguments, shared, stream, std::index_sequence_for<Parameters...>());
}
// The kernel's parameters are not known where its address has lost its type.
inline cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, std::size_t = 0, cudaStream_t = nullptr) {
  return cladpy::host::keep_error(cudaErrorNotSupported,
                                  "cudaLaunchKernel is given an address without a type, which the host backend cannot "
                                  "call; give it the kernel itself");
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **arguments,
                                        std::size_t shared = 0, cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                               std::size_t shared = 0, cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
typedef void (*cudaHostFn_t)(void *);
inline cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void *data) {
  function(data);
  return cudaSuccess;
}

// ---- streams and events ----

struct CUstream_st {
  unsigned flags;
  int priority;
};

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  *stream = nullptr;  // programs that do not look at errors use it all the same
  const cudaError_t injected = cladpy::host::count_call("cudaStreamCreate", cudaErrorMemoryAllocation);
  if (injected != cudaSuccess) return injected;
  *stream = new CUstream_st{flags, priority};
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
inline cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cladpy::host::synchronized("cudaStreamSynchronize"); }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cladpy::host::error_of_launches(); }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned) {
  callback(stream, cladpy::host::error_of_launches(), data);
  return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned = cudaEventDefault) {
  *event = nullptr;
  const cudaError_t injected = cladpy::host::count_call("cudaEventCreate", cudaErrorMemoryAllocation);
  if (injected != cudaSuccess) return injected;
  *event = new CUevent_st{0};
  return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return cudaEventCreate(event); }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
  if (!event) return cudaErrorInvalidResourceHandle;
  event->nanoseconds = clock64();
  return cudaSuccess;
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned = 0) {
  return cudaEventRecord(event, stream);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cladpy::host::synchronized("cudaEventSynchronize"); }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cladpy::host::error_of_launches(); }
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds = 0;
  if (!start || !end) return cudaErrorInvalidResourceHandle;
  *milliseconds = static_cast<float>(double(end->nanoseconds - start->nanoseconds) * 1e-6);
  return cudaSuccess;
}

// ---- graphs, which are not run here ----

// Handles that functions may have in their signatures, for which the host has no functions.
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;

namespace cladpy {
namespace host {

inline cudaError_t no_graphs() { return keep_error(cudaErrorNotSupported, "the host backend has no graphs"); }

} // namespace host
} // namespace cladpy

inline cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) { return cladpy::host::no_graphs(); }
inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *) { return cladpy::host::no_graphs(); }
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0) {
  return cladpy::host::no_graphs();
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0) {
  return cladpy::host::no_graphs();
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return cladpy::host::no_graphs(); }
inline cudaError_t cudaGraphDestroy(cudaGraph_t) { return cladpy::host::no_graphs(); }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cladpy::host::no_graphs(); }

#endif
