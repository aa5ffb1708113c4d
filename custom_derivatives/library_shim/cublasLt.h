// Handles of cuBLAS's second interface, which programs make beside those of the first. Nothing else of it has a derivative.
#ifndef CLADPY_CUBLASLT_H
#define CLADPY_CUBLASLT_H

#include <cublas_v2.h>

typedef struct cublasLtContext *cublasLtHandle_t;
inline cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  *handle = reinterpret_cast<cublasLtHandle_t>(1);
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t) { return CUBLAS_STATUS_SUCCESS; }

#endif
