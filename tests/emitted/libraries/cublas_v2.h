// What cuBLAS declares, as far as cladpy calls it: for machines that compile without it.
#pragma once
#include <cuda_runtime.h>

typedef struct cublasContext *cublasHandle_t;
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0 };
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
extern "C" cublasStatus_t cublasCreate(cublasHandle_t *);
extern "C" cublasStatus_t cublasDestroy(cublasHandle_t);
extern "C" cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);

extern "C" cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
extern "C" cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
extern "C" cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
extern "C" cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);

#define cublasDgemm cublasDgemm_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDger cublasDger_v2
#define cublasSger cublasSger_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDscal cublasDscal_v2
#define cublasSscal cublasSscal_v2
#define cublasDcopy cublasDcopy_v2
#define cublasScopy cublasScopy_v2
#define cublasDdot cublasDdot_v2
#define cublasSdot cublasSdot_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIdamin cublasIdamin_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIsamin cublasIsamin_v2
#define DECLARE(T, gemm, batched, geam, gemv, ger, axpy, scal, copy, dot, nrm2)                                        \
  extern "C" cublasStatus_t gemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const T *,       \
                                 const T *, int, const T *, int, const T *, T *, int);                                 \
  extern "C" cublasStatus_t batched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const T *,    \
                                    const T *, int, long long, const T *, int, long long, const T *, T *, int,         \
                                    long long, int);                                                                   \
  extern "C" cublasStatus_t geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, const T *, const T *, \
                                 int, const T *, const T *, int, T *, int);                                            \
  extern "C" cublasStatus_t gemv(cublasHandle_t, cublasOperation_t, int, int, const T *, const T *, int, const T *,    \
                                 int, const T *, T *, int);                                                            \
  extern "C" cublasStatus_t ger(cublasHandle_t, int, int, const T *, const T *, int, const T *, int, T *, int);        \
  extern "C" cublasStatus_t axpy(cublasHandle_t, int, const T *, const T *, int, T *, int);                            \
  extern "C" cublasStatus_t scal(cublasHandle_t, int, const T *, T *, int);                                            \
  extern "C" cublasStatus_t copy(cublasHandle_t, int, const T *, int, T *, int);                                       \
  extern "C" cublasStatus_t dot(cublasHandle_t, int, const T *, int, const T *, int, T *);                             \
  extern "C" cublasStatus_t nrm2(cublasHandle_t, int, const T *, int, T *);
DECLARE(double, cublasDgemm, cublasDgemmStridedBatched, cublasDgeam, cublasDgemv, cublasDger, cublasDaxpy, cublasDscal, cublasDcopy,
        cublasDdot, cublasDnrm2)
DECLARE(float, cublasSgemm, cublasSgemmStridedBatched, cublasSgeam, cublasSgemv, cublasSger, cublasSaxpy, cublasSscal, cublasScopy,
        cublasSdot, cublasSnrm2)
extern "C" cublasStatus_t cublasIdamax(cublasHandle_t, int, const double *, int, int *);
extern "C" cublasStatus_t cublasIdamin(cublasHandle_t, int, const double *, int, int *);
extern "C" cublasStatus_t cublasIsamax(cublasHandle_t, int, const float *, int, int *);
extern "C" cublasStatus_t cublasIsamin(cublasHandle_t, int, const float *, int, int *);
