// What cladpy makes of calls of cuBLAS: functions with derivatives of their own, in terms of each other. Matrices lie
// column by column. On a GPU they are cuBLAS's; on the host, and for the front end, they are loops.
#pragma once

#include <climits>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>

#if defined(CLADPY_HOST_H) || defined(CLADPY_BLAS_IS_READ)
#define CLADPY_BLAS_LOOPS
#endif

#include <cublas_v2.h>

namespace cladpy {
namespace blas {

#ifdef CLADPY_HOST_H
inline const bool has_variables_of_threads = (host::nothing_else = false);
#endif

// Operations are numbers here, as cuBLAS has them: 0 for the matrix as it is, 1 for its transpose.

#ifdef CLADPY_BLAS_LOOPS

#define CLADPY_BLAS_FUNCTIONS(T, X, L)                                                                                 \
  inline void gemm(cublasHandle_t, int ta, int tb, int m, int n, int k, const T *alpha, const T *A, int lda,           \
                   const T *B, int ldb, const T *beta, T *C, int ldc) {                                                \
    for (int j = 0; j < n; ++j)                                                                                        \
      for (int i = 0; i < m; ++i) {                                                                                    \
        T sum = 0;                                                                                                     \
        for (int l = 0; l < k; ++l)                                                                                    \
          sum += (ta ? A[l + static_cast<std::size_t>(i) * lda] : A[i + static_cast<std::size_t>(l) * lda]) *          \
                 (tb ? B[j + static_cast<std::size_t>(l) * ldb] : B[l + static_cast<std::size_t>(j) * ldb]);           \
        const std::size_t at = i + static_cast<std::size_t>(j) * ldc;                                                  \
        if (*beta == T(0))                                                                                             \
          C[at] = *alpha * sum;                                                                                        \
        else                                                                                                           \
          C[at] = *alpha * sum + *beta * C[at];                                                                        \
      }                                                                                                                \
  }                                                                                                                    \
  inline void geam(cublasHandle_t, int ta, int tb, int m, int n, const T *alpha, const T *A, int lda, const T *beta,   \
                   const T *B, int ldb, T *C, int ldc) {                                                               \
    for (int j = 0; j < n; ++j)                                                                                        \
      for (int i = 0; i < m; ++i) {                                                                                    \
        T sum = 0;                                                                                                     \
        if (*alpha != T(0))                                                                                            \
          sum += *alpha * (ta ? A[j + static_cast<std::size_t>(i) * lda] : A[i + static_cast<std::size_t>(j) * lda]);  \
        if (*beta != T(0))                                                                                             \
          sum += *beta * (tb ? B[j + static_cast<std::size_t>(i) * ldb] : B[i + static_cast<std::size_t>(j) * ldb]);   \
        C[i + static_cast<std::size_t>(j) * ldc] = sum;                                                                \
      }                                                                                                                \
  }                                                                                                                    \
  inline void gemv(cublasHandle_t, int ta, int m, int n, const T *alpha, const T *A, int lda, const T *x, int incx,    \
                   const T *beta, T *y, int incy) {                                                                    \
    const int rows = ta ? n : m, columns = ta ? m : n;                                                                 \
    for (int i = 0; i < rows; ++i) {                                                                                   \
      T sum = 0;                                                                                                       \
      for (int j = 0; j < columns; ++j)                                                                                \
        sum += (ta ? A[j + static_cast<std::size_t>(i) * lda] : A[i + static_cast<std::size_t>(j) * lda]) *            \
               x[incx < 0 ? (j - columns + 1) * incx : j * incx];                                                      \
      const int at = incy < 0 ? (i - rows + 1) * incy : i * incy;                                                      \
      if (*beta == T(0))                                                                                               \
        y[at] = *alpha * sum;                                                                                          \
      else                                                                                                             \
        y[at] = *alpha * sum + *beta * y[at];                                                                          \
    }                                                                                                                  \
  }                                                                                                                    \
  inline void ger(cublasHandle_t, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A,      \
                  int lda) {                                                                                           \
    for (int j = 0; j < n; ++j)                                                                                        \
      for (int i = 0; i < m; ++i)                                                                                      \
        A[i + static_cast<std::size_t>(j) * lda] += *alpha * x[incx < 0 ? (i - m + 1) * incx : i * incx] *             \
                                                    y[incy < 0 ? (j - n + 1) * incy : j * incy];                       \
  }                                                                                                                    \
  inline void axpy(cublasHandle_t, int n, const T *alpha, const T *x, int incx, T *y, int incy) {                      \
    for (int i = 0; i < n; ++i)                                                                                        \
      y[incy < 0 ? (i - n + 1) * incy : i * incy] += *alpha * x[incx < 0 ? (i - n + 1) * incx : i * incx];             \
  }                                                                                                                    \
  inline void scal(cublasHandle_t, int n, const T *alpha, T *x, int incx) {                                            \
    for (int i = 0; i < n; ++i) x[i * incx] *= *alpha;                                                                 \
  }                                                                                                                    \
  inline void copy(cublasHandle_t, int n, const T *x, int incx, T *y, int incy) {                                      \
    for (int i = 0; i < n; ++i)                                                                                        \
      y[incy < 0 ? (i - n + 1) * incy : i * incy] = x[incx < 0 ? (i - n + 1) * incx : i * incx];                       \
  }                                                                                                                    \
  inline void dot(cublasHandle_t, int n, const T *x, int incx, const T *y, int incy, T *result) {                      \
    T sum = 0;                                                                                                         \
    for (int i = 0; i < n; ++i)                                                                                        \
      sum += x[incx < 0 ? (i - n + 1) * incx : i * incx] * y[incy < 0 ? (i - n + 1) * incy : i * incy];                \
    *result = sum;                                                                                                     \
  }                                                                                                                    \
  inline void nrm2(cublasHandle_t, int n, const T *x, int incx, T *result) {                                           \
    T sum = 0;                                                                                                         \
    for (int i = 0; i < n; ++i) sum += x[i * incx] * x[i * incx];                                                      \
    *result = sqrt(sum);                                                                                               \
  }                                                                                                                    \
  inline void iamax(cublasHandle_t, int n, const T *x, int incx, int *result) {                                        \
    int found = 0;                                                                                                     \
    for (int i = 1; i < n; ++i)                                                                                        \
      if (fabs(x[i * incx]) > fabs(x[found * incx])) found = i;                                                        \
    *result = n > 0 && incx > 0 ? found + 1 : 0;                                                                       \
  }                                                                                                                    \
  inline void iamin(cublasHandle_t, int n, const T *x, int incx, int *result) {                                        \
    int found = 0;                                                                                                     \
    for (int i = 1; i < n; ++i)                                                                                        \
      if (fabs(x[i * incx]) < fabs(x[found * incx])) found = i;                                                        \
    *result = n > 0 && incx > 0 ? found + 1 : 0;                                                                       \
  }

#else

// What has gone wrong ends the gradient.
inline void check(cublasStatus_t status, const char *what) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(std::string(what) + ": cuBLAS gives status " + std::to_string(static_cast<int>(status)));
}

// Programs make handles of their own in the original only: their gradients have one for each device. The caller's may
// have any stream, and is waited for.
class handle {
public:
  explicit handle(cublasHandle_t given) : handle_(given), own_(given == nullptr) {
    if (own_) {
      static thread_local std::map<int, cublasHandle_t> made;
      int device = 0;
      (void)cudaGetDevice(&device);
      cublasHandle_t &known = made[device];
      if (known == nullptr) check(cublasCreate(&known), "cublasCreate");
      handle_ = known;
    } else {
      (void)cudaDeviceSynchronize();
    }
  }
  handle(const handle &) = delete;
  handle &operator=(const handle &) = delete;
  ~handle() {
    if (!own_) (void)cudaDeviceSynchronize();
  }
  operator cublasHandle_t() const { return handle_; }

private:
  cublasHandle_t handle_;
  bool own_;
};

#define CLADPY_BLAS_FUNCTIONS(T, X, L)                                                                                 \
  inline void gemm(cublasHandle_t h, int ta, int tb, int m, int n, int k, const T *alpha, const T *A, int lda,         \
                   const T *B, int ldb, const T *beta, T *C, int ldc) {                                                \
    check(cublas##X##gemm(handle(h), static_cast<cublasOperation_t>(ta), static_cast<cublasOperation_t>(tb), m, n, k, alpha, A, lda, B, ldb, beta, C, ldc), \
          "cublas" #X "gemm");                                                                                         \
  }                                                                                                                    \
  inline void geam(cublasHandle_t h, int ta, int tb, int m, int n, const T *alpha, const T *A, int lda, const T *beta, \
                   const T *B, int ldb, T *C, int ldc) {                                                               \
    check(cublas##X##geam(handle(h), static_cast<cublasOperation_t>(ta), static_cast<cublasOperation_t>(tb), m, n, alpha, A, lda, beta, B, ldb, C, ldc), \
          "cublas" #X "geam");                                                                                         \
  }                                                                                                                    \
  inline void gemv(cublasHandle_t h, int ta, int m, int n, const T *alpha, const T *A, int lda, const T *x, int incx,  \
                   const T *beta, T *y, int incy) {                                                                    \
    check(cublas##X##gemv(handle(h), static_cast<cublasOperation_t>(ta), m, n, alpha, A, lda, x, incx, beta, y, incy), "cublas" #X "gemv"); \
  }                                                                                                                    \
  inline void ger(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A,    \
                  int lda) {                                                                                           \
    check(cublas##X##ger(handle(h), m, n, alpha, x, incx, y, incy, A, lda), "cublas" #X "ger");                        \
  }                                                                                                                    \
  inline void axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy) {                    \
    check(cublas##X##axpy(handle(h), n, alpha, x, incx, y, incy), "cublas" #X "axpy");                                 \
  }                                                                                                                    \
  inline void scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx) {                                          \
    check(cublas##X##scal(handle(h), n, alpha, x, incx), "cublas" #X "scal");                                          \
  }                                                                                                                    \
  inline void copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) {                                    \
    check(cublas##X##copy(handle(h), n, x, incx, y, incy), "cublas" #X "copy");                                        \
  }                                                                                                                    \
  inline void dot(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result) {                    \
    check(cublas##X##dot(handle(h), n, x, incx, y, incy, result), "cublas" #X "dot");                                  \
  }                                                                                                                    \
  inline void nrm2(cublasHandle_t h, int n, const T *x, int incx, T *result) {                                         \
    check(cublas##X##nrm2(handle(h), n, x, incx, result), "cublas" #X "nrm2");                                         \
  }                                                                                                                    \
  inline void iamax(cublasHandle_t h, int n, const T *x, int incx, int *result) {                                      \
    check(cublasI##L##amax(handle(h), n, x, incx, result), "cublasI" #L "amax");                                       \
  }                                                                                                                    \
  inline void iamin(cublasHandle_t h, int n, const T *x, int incx, int *result) {                                      \
    check(cublasI##L##amin(handle(h), n, x, incx, result), "cublasI" #L "amin");                                       \
  }

#endif

CLADPY_BLAS_FUNCTIONS(double, D, d)
CLADPY_BLAS_FUNCTIONS(float, S, s)
#undef CLADPY_BLAS_FUNCTIONS

// ---- what pullbacks are made of ----

// The sum over products of elements of two matrices of m rows.
template <class T> T inner(cublasHandle_t h, int m, int n, const T *A, int lda, const T *B, int ldb) {
  T sum = 0, part = 0;
  const bool whole = lda == m && ldb == m && static_cast<long long>(m) * n <= INT_MAX;
  if (whole) {
    dot(h, m * n, A, 1, B, 1, &part);
    return part;
  }
  for (int j = 0; j < n; ++j) {
    dot(h, m, A + static_cast<std::size_t>(j) * lda, 1, B + static_cast<std::size_t>(j) * ldb, 1, &part);
    sum += part;
  }
  return sum;
}

// Memory of the device for as long as it is named.
template <class T> class scratch {
public:
  explicit scratch(std::size_t n) : memory_(nullptr) {
    if (cudaMalloc(reinterpret_cast<void **>(&memory_), (n ? n : 1) * sizeof(T)) != cudaSuccess) {
      (void)cudaGetLastError();
      throw std::runtime_error("a pullback of cuBLAS: out of memory");
    }
  }
  scratch(const scratch &) = delete;
  scratch &operator=(const scratch &) = delete;
  ~scratch() { (void)cudaFree(memory_); }
  T *get() const { return memory_; }

private:
  T *memory_;
};

// d *= beta; nothing is read where beta is zero
template <class T> void scale_matrix(cublasHandle_t h, int m, int n, const T *beta, T *d, int ldd) {
  const T zero = 0, one = 1;
  if (*beta != one) geam(h, 0, 0, m, n, beta, d, ldd, &zero, d, ldd, d, ldd);
}
template <class T> void scale_vector(cublasHandle_t h, int n, const T *beta, T *d, int inc) {
  const T one = 1;
  if (*beta != one) scal(h, n, beta, d, inc < 0 ? -inc : inc);
}

}  // namespace blas

// ---- the pullbacks ----

namespace custom_derivatives {
namespace cladpy {
namespace blas {

#define CLADPY_BLAS_PULLBACKS(T)                                                                                       \
  inline void gemm_pullback(cublasHandle_t h, int ta, int tb, int m, int n, int k, const T *alpha, const T *A,         \
                            int lda, const T *B, int ldb, const T *beta, T *C, int ldc, T *d_alpha, T *d_A, T *d_B,    \
                            T *d_beta, T *d_C) {                                                                       \
    using namespace ::cladpy::blas;                                                                                    \
    if (!d_C || m <= 0 || n <= 0) return;                                                                              \
    const T one = 1, zero = 0;                                                                                         \
    const int fa = ta != 0, fb = tb != 0;                                                                              \
    if (d_A && k > 0) {                                                                                                \
      if (fa)                                                                                                          \
        ::cladpy::blas::gemm(h, fb, 1, k, m, n, alpha, B, ldb, d_C, ldc, &one, d_A, lda);                              \
      else                                                                                                             \
        ::cladpy::blas::gemm(h, 0, !fb, m, k, n, alpha, d_C, ldc, B, ldb, &one, d_A, lda);                             \
    }                                                                                                                  \
    if (d_B && k > 0) {                                                                                                \
      if (fb)                                                                                                          \
        ::cladpy::blas::gemm(h, 1, fa, n, k, m, alpha, d_C, ldc, A, lda, &one, d_B, ldb);                              \
      else                                                                                                             \
        ::cladpy::blas::gemm(h, !fa, 0, k, n, m, alpha, A, lda, d_C, ldc, &one, d_B, ldb);                             \
    }                                                                                                                  \
    if (d_alpha && k > 0) {                                                                                            \
      scratch<T> product(static_cast<std::size_t>(m) * n);                                                             \
      ::cladpy::blas::gemm(h, fa, fb, m, n, k, &one, A, lda, B, ldb, &zero, product.get(), m);                         \
      *d_alpha += inner<T>(h, m, n, product.get(), m, d_C, ldc);                                                       \
    }                                                                                                                  \
    if (d_beta) *d_beta += inner<T>(h, m, n, C, ldc, d_C, ldc);                                                        \
    scale_matrix<T>(h, m, n, beta, d_C, ldc);                                                                          \
  }                                                                                                                    \
  inline void geam_pullback(cublasHandle_t h, int ta, int tb, int m, int n, const T *alpha, const T *A, int lda,       \
                            const T *beta, const T *B, int ldb, T *, int ldc, T *d_alpha, T *d_A, T *d_beta, T *d_B,   \
                            T *d_C) {                                                                                  \
    using namespace ::cladpy::blas;                                                                                    \
    if (!d_C || m <= 0 || n <= 0) return;                                                                              \
    const T one = 1, zero = 0;                                                                                         \
    const int fa = ta != 0, fb = tb != 0;                                                                              \
    if (d_A) ::cladpy::blas::geam(h, fa, 0, fa ? n : m, fa ? m : n, alpha, d_C, ldc, &one, d_A, lda, d_A, lda);        \
    if (d_B) ::cladpy::blas::geam(h, fb, 0, fb ? n : m, fb ? m : n, beta, d_C, ldc, &one, d_B, ldb, d_B, ldb);         \
    if (d_alpha || d_beta) {                                                                                           \
      scratch<T> own(static_cast<std::size_t>(m) * n);                                                                 \
      if (d_alpha) {                                                                                                   \
        ::cladpy::blas::geam(h, fa, 0, m, n, &one, A, lda, &zero, own.get(), m, own.get(), m);                         \
        *d_alpha += inner<T>(h, m, n, own.get(), m, d_C, ldc);                                                         \
      }                                                                                                                \
      if (d_beta) {                                                                                                    \
        ::cladpy::blas::geam(h, fb, 0, m, n, &one, B, ldb, &zero, own.get(), m, own.get(), m);                         \
        *d_beta += inner<T>(h, m, n, own.get(), m, d_C, ldc);                                                          \
      }                                                                                                                \
    }                                                                                                                  \
    scale_matrix<T>(h, m, n, &zero, d_C, ldc);                                                                         \
  }                                                                                                                    \
  inline void gemv_pullback(cublasHandle_t h, int ta, int m, int n, const T *alpha, const T *A, int lda, const T *x,   \
                            int incx, const T *beta, T *y, int incy, T *d_alpha, T *d_A, T *d_x, T *d_beta, T *d_y) {  \
    using namespace ::cladpy::blas;                                                                                    \
    if (!d_y || m <= 0 || n <= 0) return;                                                                              \
    const T one = 1, zero = 0;                                                                                         \
    const int rows = ta ? n : m;                                                                                       \
    T part = 0;                                                                                                        \
    if (d_A) {                                                                                                         \
      if (ta)                                                                                                          \
        ::cladpy::blas::ger(h, m, n, alpha, x, incx, d_y, incy, d_A, lda);                                             \
      else                                                                                                             \
        ::cladpy::blas::ger(h, m, n, alpha, d_y, incy, x, incx, d_A, lda);                                             \
    }                                                                                                                  \
    if (d_x) ::cladpy::blas::gemv(h, !ta, m, n, alpha, A, lda, d_y, incy, &one, d_x, incx);                            \
    if (d_alpha) {                                                                                                     \
      scratch<T> product(rows);                                                                                        \
      ::cladpy::blas::gemv(h, ta, m, n, &one, A, lda, x, incx, &zero, product.get(), 1);                               \
      ::cladpy::blas::dot(h, rows, product.get(), 1, d_y, incy, &part);                                                \
      *d_alpha += part;                                                                                                \
    }                                                                                                                  \
    if (d_beta) {                                                                                                      \
      ::cladpy::blas::dot(h, rows, y, incy, d_y, incy, &part);                                                         \
      *d_beta += part;                                                                                                 \
    }                                                                                                                  \
    scale_vector<T>(h, rows, beta, d_y, incy);                                                                         \
  }                                                                                                                    \
  inline void ger_pullback(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, \
                           T *, int lda, T *d_alpha, T *d_x, T *d_y, T *d_A) {                                         \
    using namespace ::cladpy::blas;                                                                                    \
    if (!d_A || m <= 0 || n <= 0) return;                                                                              \
    const T one = 1, zero = 0;                                                                                         \
    if (d_x) ::cladpy::blas::gemv(h, 0, m, n, alpha, d_A, lda, y, incy, &one, d_x, incx);                              \
    if (d_y) ::cladpy::blas::gemv(h, 1, m, n, alpha, d_A, lda, x, incx, &one, d_y, incy);                              \
    if (d_alpha) {                                                                                                     \
      T part = 0;                                                                                                      \
      scratch<T> product(m);                                                                                           \
      ::cladpy::blas::gemv(h, 0, m, n, &one, d_A, lda, y, incy, &zero, product.get(), 1);                              \
      ::cladpy::blas::dot(h, m, product.get(), 1, x, incx, &part);                                                     \
      *d_alpha += part;                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  inline void axpy_pullback(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *, int incy, T *d_alpha,  \
                            T *d_x, T *d_y) {                                                                          \
    if (!d_y) return;                                                                                                  \
    if (d_x) ::cladpy::blas::axpy(h, n, alpha, d_y, incy, d_x, incx);                                                  \
    if (d_alpha) {                                                                                                     \
      T part = 0;                                                                                                      \
      ::cladpy::blas::dot(h, n, x, incx, d_y, incy, &part);                                                            \
      *d_alpha += part;                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  inline void scal_pullback(cublasHandle_t h, int n, const T *alpha, T *x, int incx, T *d_alpha, T *d_x) {             \
    if (!d_x) return;                                                                                                  \
    if (d_alpha) {                                                                                                     \
      T part = 0;                                                                                                      \
      ::cladpy::blas::dot(h, n, x, incx, d_x, incx, &part);                                                            \
      *d_alpha += part;                                                                                                \
    }                                                                                                                  \
    ::cladpy::blas::scale_vector<T>(h, n, alpha, d_x, incx);                                                           \
  }                                                                                                                    \
  inline void copy_pullback(cublasHandle_t h, int n, const T *, int incx, T *, int incy, T *d_x, T *d_y) {             \
    const T one = 1, zero = 0;                                                                                         \
    if (!d_y) return;                                                                                                  \
    if (d_x) ::cladpy::blas::axpy(h, n, &one, d_y, incy, d_x, incx);                                                   \
    ::cladpy::blas::scale_vector<T>(h, n, &zero, d_y, incy);                                                           \
  }                                                                                                                    \
  inline void dot_pullback(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *, T *d_x, T *d_y,   \
                           T *d_result) {                                                                              \
    if (!d_result) return;                                                                                             \
    if (d_x) ::cladpy::blas::axpy(h, n, d_result, y, incy, d_x, incx);                                                 \
    if (d_y) ::cladpy::blas::axpy(h, n, d_result, x, incx, d_y, incy);                                                 \
    *d_result = 0;                                                                                                     \
  }                                                                                                                    \
  inline void nrm2_pullback(cublasHandle_t h, int n, const T *x, int incx, T *, T *d_x, T *d_result) {                 \
    if (!d_result) return;                                                                                             \
    T length = 0;                                                                                                      \
    ::cladpy::blas::nrm2(h, n, x, incx, &length);                                                                      \
    if (d_x && length != T(0)) {                                                                                       \
      const T factor = *d_result / length;                                                                             \
      ::cladpy::blas::axpy(h, n, &factor, x, incx, d_x, incx);                                                         \
    }                                                                                                                  \
    *d_result = 0;                                                                                                     \
  }                                                                                                                    \
  inline void iamax_pullback(cublasHandle_t, int, const T *, int, int *, T *) {}                                       \
  inline void iamin_pullback(cublasHandle_t, int, const T *, int, int *, T *) {}

CLADPY_BLAS_PULLBACKS(double)
CLADPY_BLAS_PULLBACKS(float)
#undef CLADPY_BLAS_PULLBACKS

}  // namespace blas
}  // namespace cladpy
}  // namespace custom_derivatives
}  // namespace cladpy
