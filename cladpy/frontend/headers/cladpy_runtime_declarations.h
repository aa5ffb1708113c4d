// The runtime API that host code around a kernel uses.
#ifndef CLADPY_RUNTIME_DECLARATIONS_H
#define CLADPY_RUNTIME_DECLARATIONS_H

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoDevice = 100,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
struct cudaDeviceProp {
  char name[256];
  cladpy_size_t totalGlobalMem;
  cladpy_size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  cladpy_size_t totalConstMem;
  int major;
  int minor;
  int multiProcessorCount;
  int concurrentKernels;
  int memoryBusWidth;
  int l2CacheSize;
  int maxThreadsPerMultiProcessor;
  cladpy_size_t sharedMemPerMultiprocessor;
  cladpy_size_t sharedMemPerBlockOptin;
};
struct cudaFuncAttributes {
  cladpy_size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
};

#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaHostAllocDefault 0x00
#define cudaHostAllocMapped 0x02
#define cudaMemAttachGlobal 0x01
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

extern "C" {
unsigned int __cudaPushCallConfiguration(dim3, dim3, cladpy_size_t = 0, struct CUstream_st * = 0);
cudaError_t cudaConfigureCall(dim3, dim3, cladpy_size_t = 0, cudaStream_t = 0);
cudaError_t cudaMalloc(void **, cladpy_size_t);
cudaError_t cudaMallocHost(void **, cladpy_size_t);
cudaError_t cudaMallocManaged(void **, cladpy_size_t, unsigned int = cudaMemAttachGlobal);
cudaError_t cudaMallocAsync(void **, cladpy_size_t, cudaStream_t);
cudaError_t cudaMallocPitch(void **, cladpy_size_t *, cladpy_size_t, cladpy_size_t);
cudaError_t cudaHostAlloc(void **, cladpy_size_t, unsigned int);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMemcpy(void *, const void *, cladpy_size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, cladpy_size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void *, cladpy_size_t, const void *, cladpy_size_t, cladpy_size_t, cladpy_size_t,
                         enum cudaMemcpyKind);
cudaError_t cudaMemset(void *, int, cladpy_size_t);
cudaError_t cudaMemsetAsync(void *, int, cladpy_size_t, cudaStream_t = 0);
cudaError_t cudaMemGetInfo(cladpy_size_t *, cladpy_size_t *);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetLimit(enum cudaLimit, cladpy_size_t);
cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *, int);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned int);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned int);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaFuncSetAttribute(const void *, enum cudaFuncAttribute, int);
cudaError_t cudaFuncSetCacheConfig(const void *, enum cudaFuncCache);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, const void *);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, cladpy_size_t);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, cladpy_size_t, cladpy_size_t = 0,
                               enum cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, cladpy_size_t, cladpy_size_t = 0,
                                 enum cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaGetSymbolAddress(void **, const void *);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, cladpy_size_t, cudaStream_t);
}

cudaError_t cudaEventCreate(cudaEvent_t *, unsigned int = cudaEventDefault);
template <typename T> cudaError_t cudaMalloc(T **, cladpy_size_t);
template <typename T> cudaError_t cudaMallocHost(T **, cladpy_size_t, unsigned int = 0);
template <typename T> cudaError_t cudaMallocManaged(T **, cladpy_size_t, unsigned int = cudaMemAttachGlobal);
template <typename T> cudaError_t cudaMallocAsync(T **, cladpy_size_t, cudaStream_t);
template <typename T> cudaError_t cudaMallocPitch(T **, cladpy_size_t *, cladpy_size_t, cladpy_size_t);
template <typename T> cudaError_t cudaHostAlloc(T **, cladpy_size_t, unsigned int);
template <typename T> cudaError_t cudaFuncSetAttribute(T *, enum cudaFuncAttribute, int);
template <typename T> cudaError_t cudaFuncSetCacheConfig(T *, enum cudaFuncCache);
template <typename T> cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, T *);
template <typename T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int, cladpy_size_t);
template <typename T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, T, cladpy_size_t = 0, int = 0);
template <typename T> cudaError_t cudaMemcpyToSymbol(const T &, const void *, cladpy_size_t, cladpy_size_t = 0,
                                                     enum cudaMemcpyKind = cudaMemcpyHostToDevice);
template <typename T> cudaError_t cudaMemcpyFromSymbol(void *, const T &, cladpy_size_t, cladpy_size_t = 0,
                                                       enum cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <typename T> cudaError_t cudaGetSymbolAddress(void **, const T &);
template <typename T>
cudaError_t cudaLaunchKernel(T *, dim3, dim3, void **, cladpy_size_t = 0, cudaStream_t = 0);

#endif
