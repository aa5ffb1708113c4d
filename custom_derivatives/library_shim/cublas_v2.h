// cuBLAS as cladpy reads it, and as the host backend runs it: on plain memory. nvcc compiles CUDA's own. What stands here
// without a body has no derivative.
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <library_types.h>

#include <cmath>

typedef struct cublasContext *cublasHandle_t;
typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef cudaDataType cublasDataType_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;

#ifndef CLADPY_HOST_H
#define CLADPY_BLAS_IS_READ
#endif
#include <cladpy/blas.h>

// Handles hold nothing, and are not null. The gradient has its own, in the place of those that the program makes.
inline cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  *handle = reinterpret_cast<cublasHandle_t>(1);
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t) { return CUBLAS_STATUS_SUCCESS; }
inline const char *cublasGetStatusString(cublasStatus_t) { return "a status of cuBLAS"; }

// To the device and back: copies of rows, which for a matrix are its columns.
inline cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *A, int lda, void *B, int ldb) {
  cudaMemcpy2D(B, static_cast<size_t>(ldb) * size, A, static_cast<size_t>(lda) * size, static_cast<size_t>(rows) * size,
               columns, cudaMemcpyHostToDevice);
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *A, int lda, void *B, int ldb) {
  cudaMemcpy2D(B, static_cast<size_t>(ldb) * size, A, static_cast<size_t>(lda) * size, static_cast<size_t>(rows) * size,
               columns, cudaMemcpyDeviceToHost);
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy) {
  return cublasSetMatrix(1, n, size, x, incx, y, incy);
}
inline cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy) {
  return cublasGetMatrix(1, n, size, x, incx, y, incy);
}

// Numbers that calls are given, or give, must lie in the host's memory.
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
// Of types that are told at run time.
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *, const void *,
                            cudaDataType, int, const void *, cudaDataType, int, const void *, void *, cudaDataType, int,
                            cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                                          const void *, cudaDataType, int, long long, const void *, cudaDataType, int,
                                          long long, const void *, void *, cudaDataType, int, long long, int,
                                          cublasComputeType_t, cublasGemmAlgo_t);

#define CLADPY_CUBLAS(T, X, L)                                                                                         \
  inline cublasStatus_t cublas##X##gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,    \
                                        int k, const T *alpha, const T *A, int lda, const T *B, int ldb,               \
                                        const T *beta, T *C, int ldc) {                                                \
    cladpy::blas::gemm(h, ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                                       \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##gemmStridedBatched(                                                                 \
      cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, const T *A,   \
      int lda, long long stride_a, const T *B, int ldb, long long stride_b, const T *beta, T *C, int ldc,              \
      long long stride_c, int count) {                                                                                 \
    for (int i = 0; i < count; ++i)                                                                                    \
      cladpy::blas::gemm(h, ta, tb, m, n, k, alpha, A + i * stride_a, lda, B + i * stride_b, ldb, beta,                \
                         C + i * stride_c, ldc);                                                                       \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,    \
                                        const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, \
                                        int ldc) {                                                                     \
    cladpy::blas::geam(h, ta, tb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);                                          \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##gemv(cublasHandle_t h, cublasOperation_t ta, int m, int n, const T *alpha,          \
                                        const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy) {    \
    cladpy::blas::gemv(h, ta, m, n, alpha, A, lda, x, incx, beta, y, incy);                                            \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##ger(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx,           \
                                       const T *y, int incy, T *A, int lda) {                                          \
    cladpy::blas::ger(h, m, n, alpha, x, incx, y, incy, A, lda);                                                       \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y,           \
                                        int incy) {                                                                    \
    cladpy::blas::axpy(h, n, alpha, x, incx, y, incy);                                                                 \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx) {                     \
    cladpy::blas::scal(h, n, alpha, x, incx);                                                                          \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) {               \
    cladpy::blas::copy(h, n, x, incx, y, incy);                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##dot(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy,            \
                                       T *result) {                                                                    \
    cladpy::blas::dot(h, n, x, incx, y, incy, result);                                                                 \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##nrm2(cublasHandle_t h, int n, const T *x, int incx, T *result) {                    \
    cladpy::blas::nrm2(h, n, x, incx, result);                                                                         \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublasI##L##amax(cublasHandle_t h, int n, const T *x, int incx, int *result) {                 \
    cladpy::blas::iamax(h, n, x, incx, result);                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublasI##L##amin(cublasHandle_t h, int n, const T *x, int incx, int *result) {                 \
    cladpy::blas::iamin(h, n, x, incx, result);                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  cublasStatus_t cublas##X##asum(cublasHandle_t, int, const T *, int, T *);                                            \
  cublasStatus_t cublas##X##swap(cublasHandle_t, int, T *, int, T *, int);                                             \
  cublasStatus_t cublas##X##trsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,                \
                                 cublasDiagType_t, int, int, const T *, const T *, int, T *, int);                     \
  cublasStatus_t cublas##X##symm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const T *, const T *,   \
                                 int, const T *, int, const T *, T *, int);                                            \
  cublasStatus_t cublas##X##syrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const T *, const T *,  \
                                 int, const T *, T *, int);                                                            \
  cublasStatus_t cublas##X##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,           \
                                        const T *, const T *const *, int, const T *const *, int, const T *, T *const *, \
                                        int, int);

CLADPY_CUBLAS(double, D, d)
CLADPY_CUBLAS(float, S, s)
#undef CLADPY_CUBLAS

#endif
