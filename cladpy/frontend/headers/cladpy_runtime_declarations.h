// The runtime API that host code around kernels uses.
#ifndef CLADPY_RUNTIME_DECLARATIONS_H
#define CLADPY_RUNTIME_DECLARATIONS_H

#include <cladpy/runtime_constants.h>

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef enum cudaError cudaError_t;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);

struct cudaDeviceProp {
  char name[256];
  cladpy_size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  cladpy_size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  cladpy_size_t totalConstMem;
  int major, minor;
  cladpy_size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory;
  cladpy_size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
  int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  cladpy_size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  cladpy_size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  cladpy_size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, memoryPoolsSupported, clusterLaunch;
  int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode;  // until CUDA 12
};
struct cudaFuncAttributes {
  cladpy_size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
};
struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
struct cudaMemLocation {
  enum cudaMemLocationType type;
  int id;
};

extern "C" {
unsigned int __cudaPushCallConfiguration(dim3, dim3, cladpy_size_t = 0, struct CUstream_st * = 0);
cudaError_t cudaConfigureCall(dim3, dim3, cladpy_size_t = 0, cudaStream_t = 0);

// Memory.
cudaError_t cudaMalloc(void **, cladpy_size_t);
cudaError_t cudaMallocHost(void **, cladpy_size_t);
cudaError_t cudaMallocManaged(void **, cladpy_size_t, unsigned int = cudaMemAttachGlobal);
cudaError_t cudaMallocAsync(void **, cladpy_size_t, cudaStream_t);
cudaError_t cudaMallocFromPoolAsync(void **, cladpy_size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaMallocPitch(void **, cladpy_size_t *, cladpy_size_t, cladpy_size_t);
cudaError_t cudaHostAlloc(void **, cladpy_size_t, unsigned int);
cudaError_t cudaHostRegister(void *, cladpy_size_t, unsigned int);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned int);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMemcpy(void *, const void *, cladpy_size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, cladpy_size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void *, cladpy_size_t, const void *, cladpy_size_t, cladpy_size_t, cladpy_size_t,
                         enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void *, cladpy_size_t, const void *, cladpy_size_t, cladpy_size_t, cladpy_size_t,
                              enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, cladpy_size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, cladpy_size_t, cudaStream_t = 0);
cudaError_t cudaMemset(void *, int, cladpy_size_t);
cudaError_t cudaMemsetAsync(void *, int, cladpy_size_t, cudaStream_t = 0);
cudaError_t cudaMemset2D(void *, cladpy_size_t, int, cladpy_size_t, cladpy_size_t);
cudaError_t cudaMemset2DAsync(void *, cladpy_size_t, int, cladpy_size_t, cladpy_size_t, cudaStream_t = 0);
cudaError_t cudaMemGetInfo(cladpy_size_t *, cladpy_size_t *);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *, const void *);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *, int);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, cladpy_size_t);

// Devices and errors.
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetLimit(enum cudaLimit, cladpy_size_t);
cudaError_t cudaDeviceGetLimit(cladpy_size_t *, enum cudaLimit);
cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig);
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaSetDeviceFlags(unsigned int);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaChooseDevice(int *, const struct cudaDeviceProp *);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *, int);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

// Streams and events.
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned int);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned int, int);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *, unsigned int);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned int);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0, unsigned int = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);

// Kernels and variables by their addresses.
cudaError_t cudaFuncSetAttribute(const void *, enum cudaFuncAttribute, int);
cudaError_t cudaFuncSetCacheConfig(const void *, enum cudaFuncCache);
cudaError_t cudaFuncSetSharedMemConfig(const void *, enum cudaSharedMemConfig);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, const void *);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, cladpy_size_t);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, cladpy_size_t, cladpy_size_t = 0,
                               enum cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, cladpy_size_t, cladpy_size_t = 0,
                                 enum cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyToSymbolAsync(const void *, const void *, cladpy_size_t, cladpy_size_t, enum cudaMemcpyKind,
                                    cudaStream_t = 0);
cudaError_t cudaMemcpyFromSymbolAsync(void *, const void *, cladpy_size_t, cladpy_size_t, enum cudaMemcpyKind,
                                      cudaStream_t = 0);
cudaError_t cudaGetSymbolAddress(void **, const void *);
cudaError_t cudaGetSymbolSize(cladpy_size_t *, const void *);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, cladpy_size_t, cudaStream_t);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, cladpy_size_t, cudaStream_t);
}

cudaError_t cudaEventCreate(cudaEvent_t *, unsigned int);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0);
cudaError_t cudaMemPrefetchAsync(const void *, cladpy_size_t, int, cudaStream_t = 0);  // until CUDA 12
cudaError_t cudaMemPrefetchAsync(const void *, cladpy_size_t, struct cudaMemLocation, unsigned int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void *, cladpy_size_t, enum cudaMemoryAdvise, int);
cudaError_t cudaMemAdvise(const void *, cladpy_size_t, enum cudaMemoryAdvise, struct cudaMemLocation);

template <typename T> cudaError_t cudaMalloc(T **, cladpy_size_t);
template <typename T> cudaError_t cudaMallocHost(T **, cladpy_size_t, unsigned int = 0);
template <typename T> cudaError_t cudaMallocManaged(T **, cladpy_size_t, unsigned int = cudaMemAttachGlobal);
template <typename T> cudaError_t cudaMallocAsync(T **, cladpy_size_t, cudaStream_t);
template <typename T> cudaError_t cudaMallocFromPoolAsync(T **, cladpy_size_t, cudaMemPool_t, cudaStream_t);
template <typename T> cudaError_t cudaMallocPitch(T **, cladpy_size_t *, cladpy_size_t, cladpy_size_t);
template <typename T> cudaError_t cudaHostAlloc(T **, cladpy_size_t, unsigned int);
template <typename T> cudaError_t cudaHostGetDevicePointer(T **, void *, unsigned int);
template <typename T> cudaError_t cudaFuncSetAttribute(T *, enum cudaFuncAttribute, int);
template <typename T> cudaError_t cudaFuncSetCacheConfig(T *, enum cudaFuncCache);
template <typename T> cudaError_t cudaFuncSetSharedMemConfig(T *, enum cudaSharedMemConfig);
template <typename T> cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, T *);
template <typename T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int, cladpy_size_t);
template <typename T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, T, cladpy_size_t = 0, int = 0);
template <typename S, typename T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *, int *, T, S, int = 0);
template <typename T> cudaError_t cudaMemcpyToSymbol(const T &, const void *, cladpy_size_t, cladpy_size_t = 0,
                                                     enum cudaMemcpyKind = cudaMemcpyHostToDevice);
template <typename T> cudaError_t cudaMemcpyFromSymbol(void *, const T &, cladpy_size_t, cladpy_size_t = 0,
                                                       enum cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <typename T> cudaError_t cudaMemcpyToSymbolAsync(const T &, const void *, cladpy_size_t, cladpy_size_t,
                                                          enum cudaMemcpyKind, cudaStream_t = 0);
template <typename T> cudaError_t cudaMemcpyFromSymbolAsync(void *, const T &, cladpy_size_t, cladpy_size_t,
                                                            enum cudaMemcpyKind, cudaStream_t = 0);
template <typename T> cudaError_t cudaGetSymbolAddress(void **, const T &);
template <typename T> cudaError_t cudaGetSymbolSize(cladpy_size_t *, const T &);
template <typename T>
cudaError_t cudaLaunchKernel(T *, dim3, dim3, void **, cladpy_size_t = 0, cudaStream_t = 0);
template <typename T>
cudaError_t cudaLaunchCooperativeKernel(T *, dim3, dim3, void **, cladpy_size_t = 0, cudaStream_t = 0);

#endif
