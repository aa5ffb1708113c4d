// Calls of cuBLAS: matrices column by column, with leading dimensions, transposes and factors.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUBLAS(call)                                                \
  do {                                                                    \
    cublasStatus_t status = (call);                                       \
    if (status != CUBLAS_STATUS_SUCCESS) {                                \
      fprintf(stderr, "cuBLAS: %d\n", static_cast<int>(status));          \
      exit(EXIT_FAILURE);                                                 \
    }                                                                     \
  } while (0)

__global__ void bend(double *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = tanh(x[i]) + 0.1 * x[i];
}

template <class T> T *uploaded(const T *host, int n) {
  T *memory;
  cudaMalloc(&memory, n * sizeof(T));
  cudaMemcpy(memory, host, n * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

// c = alpha op(a) op(b) + beta c of 3 x 4 with a sum over 2, all of them in the upper left of larger matrices
void product(const double *a, const double *b, double *c, double alpha, double beta, int ta, int tb, int times) {
  cublasHandle_t handle;
  CHECK_CUBLAS(cublasCreate(&handle));
  double *A = uploaded(a, 5 * 5), *B = uploaded(b, 5 * 5), *C = uploaded(c, 5 * 4);
  for (int i = 0; i < times; ++i) {
    CHECK_CUBLAS(cublasDgemm(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, 3, 4, 2, &alpha, A,
                             5, B, 5, &beta, C, 5));
    if (i + 1 < times) bend<<<1, 32>>>(C, 20);
  }
  cudaMemcpy(c, C, 20 * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cublasDestroy(handle);
}

// Two layers and their loss, by several calls on one stream.
double network(const double *x, const double *w, const double *v, const double *bias, int batch, int in, int hidden) {
  cublasHandle_t handle;
  cudaStream_t stream;
  cublasCreate(&handle);
  cudaStreamCreate(&stream);
  cublasSetStream(handle, stream);
  const double one = 1.0, zero = 0.0;
  const std::vector<double> ones(batch, 1.0);
  double *X = uploaded(x, in * batch), *W = uploaded(w, hidden * in), *V = uploaded(v, hidden), *H, *Y, *B = uploaded(bias, hidden);
  double *ONES = uploaded(ones.data(), batch);
  cudaMalloc(&H, hidden * batch * sizeof(double));
  cudaMalloc(&Y, batch * sizeof(double));
  cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, hidden, batch, in, &one, W, hidden, X, in, &zero, H, hidden);
  cublasDger(handle, hidden, batch, &one, B, 1, ONES, 1, H, hidden);
  bend<<<(hidden * batch + 31) / 32, 32, 0, stream>>>(H, hidden * batch);
  cublasDgemv(handle, CUBLAS_OP_T, hidden, batch, &one, H, hidden, V, 1, &zero, Y, 1);
  double loss, length, mean;
  cublasDdot(handle, batch, Y, 1, Y, 1, &loss);
  cublasDnrm2(handle, hidden * in, W, 1, &length);
  cublasDdot(handle, batch, Y, 1, ONES, 1, &mean);
  cudaStreamSynchronize(stream);
  for (double *memory : {X, W, V, H, Y, B, ONES}) cudaFree(memory);
  cublasDestroy(handle);
  return loss + 0.1 * length * mean;
}

// Vectors with strides, in place.
void vectors(const double *x, double *y, double a, int n) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  double *X = uploaded(x, 2 * n), *Y = uploaded(y, 3 * n), *Z, length = 0, product = 0;
  cudaMalloc(&Z, 3 * n * sizeof(double));
  cudaMemset(Z, 0, 3 * n * sizeof(double));
  cublasDcopy(handle, n, Y, 3, Z, 1);
  cublasDaxpy(handle, n, &a, X, 2, Y, 3);
  cublasDscal(handle, n, &a, Y + 1, 3);
  cublasDdot(handle, n, X, -2, Y, 3, &product);
  cublasDscal(handle, n, &product, X + 1, 2);
  cublasDnrm2(handle, n, X, 2, &length);
  const double factor = product / length;
  cublasDaxpy(handle, n, &factor, Z, 1, Y + 2, 3);
  cublasDgemv(handle, CUBLAS_OP_N, 2, 3, &factor, X, 2, Z, -1, &a, Y, 1);
  cudaMemcpy(y, Y, 3 * n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(X);
  cudaFree(Y);
  cudaFree(Z);
  cublasDestroy(handle);
}

// A batch, sums of matrices, and a transpose in single precision.
float batches(const float *a, const float *b, float alpha, float beta, int n, int count) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const int size = n * n;
  float *A = uploaded(a, size * count), *B = uploaded(b, size * count), *C, *D, result;
  cudaMalloc(&C, size * count * sizeof(float));
  cudaMalloc(&D, size * sizeof(float));
  cudaMemset(C, 0, size * count * sizeof(float));
  cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &alpha, A, n, size, B, n, size, &beta, C, n, size, count);
  cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &alpha, C, n, &beta, C + size, n, D, n);
  cublasSgemv(handle, CUBLAS_OP_T, n, n, &alpha, D, n, A, 1, &beta, B, 1);
  cublasSger(handle, n, n, &beta, B, 1, A, -1, D, n);
  cublasSdot(handle, size, D, 1, D, 1, &result);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
  cublasDestroy(handle);
  return result;
}

// Parts of matrices and of vectors, to the device and back by the library's own calls.
void transfers(const double *a, const double *x, double *y, int n) {
  double *m, *v, *w;
  const int ld = n + 2;
  cudaMalloc(&m, ld * n * sizeof(double));
  cudaMalloc(&v, 2 * n * sizeof(double));
  cudaMalloc(&w, 2 * n * sizeof(double));
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetMatrix(n, n, sizeof(double), a, n + 1, m, ld);
  cublasSetVector(n, sizeof(*x), x, 2, v, 1);
  const double one = 1, zero = 0;
  cublasDgemv(handle, CUBLAS_OP_N, n, n, &one, m, ld, v, 1, &zero, w, 2);
  cublasDgemv(handle, CUBLAS_OP_T, n, n, &one, m, ld, w, 2, &one, v, 1);
  cublasGetVector(n, sizeof(double), v, 1, y, 2);
  cublasGetMatrix(2, n - 1, sizeof(double), m + 1, ld, y + 2 * n, 2);
  cublasDestroy(handle);
  cudaFree(m);
  cudaFree(v);
  cudaFree(w);
}

// Handles at namespace scope, which the function makes and ends. Which element is the largest, or smallest, is an integer.
cublasHandle_t shared_handle;
cudaStream_t shared_streams[2];
double by_largest(const double *x, double *y, int n) {
  cublasCreate(&shared_handle);
  for (cudaStream_t &stream : shared_streams) cudaStreamCreate(&stream);
  cublasSetStream(shared_handle, shared_streams[1]);
  double *X = uploaded(x, n), *Y = uploaded(y, n), at_least = 0;
  int largest = 0, smallest = 0;
  bend<<<1, 32, 0, shared_streams[0]>>>(X, n);
  cudaStreamSynchronize(shared_streams[0]);
  CHECK_CUBLAS(cublasIdamax(shared_handle, n, X, 1, &largest));
  CHECK_CUBLAS(cublasIdamin(shared_handle, n / 2, X, 2, &smallest));
  cublasDaxpy(shared_handle, n, &x[largest - 1], X, 1, Y, 1);
  cudaMemcpy(y, Y, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaMemcpy(&at_least, X + 2 * (smallest - 1), sizeof(double), cudaMemcpyDeviceToHost);
  for (cudaStream_t stream : shared_streams) cudaStreamDestroy(stream);
  cublasDestroy(shared_handle);
  cudaFree(X);
  cudaFree(Y);
  return at_least;
}
