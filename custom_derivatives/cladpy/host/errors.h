// Error codes and handles of the CUDA runtime. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_ERRORS_H
#define CLADPY_HOST_ERRORS_H

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchTimeout = 702,
  cudaErrorAssert = 710,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999,
};
typedef enum cudaError cudaError_t;
typedef struct CUstream_st *cudaStream_t;

namespace cladpy {
namespace host {

// What cudaGetLastError returns and clears.
CLADPY_HOST_HIDDEN inline cudaError_t last_error = cudaSuccess;

inline cudaError_t keep_error(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

} // namespace host
} // namespace cladpy

#endif
