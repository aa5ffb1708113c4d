// Error codes and handles of the CUDA runtime. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_ERRORS_H
#define CLADPY_HOST_ERRORS_H

#include <cstdarg>

#include "../runtime_constants.h"

typedef enum cudaError cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct cublasContext *cublasHandle_t;  // see <cublas_v2.h>

namespace cladpy {
namespace host {

// What cudaGetLastError returns and clears.
CLADPY_HOST_HIDDEN inline cudaError_t last_error = cudaSuccess;
// What there is to say about it beyond its name. What a launch said is forgotten when the next one goes well.
CLADPY_HOST_HIDDEN inline char last_error_text[512] = "";
CLADPY_HOST_HIDDEN inline bool text_is_of_launch = false;

inline cudaError_t keep_error(cudaError_t error) {
  if (error != cudaSuccess) {
    last_error = error;
    last_error_text[0] = 0;
    text_is_of_launch = false;
  }
  return error;
}
__attribute__((format(printf, 2, 3))) inline cudaError_t keep_error(cudaError_t error, const char *format, ...) {
  last_error = error;
  text_is_of_launch = false;
  std::va_list list;
  va_start(list, format);
  std::vsnprintf(last_error_text, sizeof last_error_text, format, list);
  va_end(list);
  return error;
}

} // namespace host
} // namespace cladpy

#endif
