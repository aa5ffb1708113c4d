// Programs that look at every error, in the ways that programs do it.
#include <cuda_runtime.h>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

#define CUDA_CHECK(call)                                                                                               \
  do {                                                                                                                 \
    cudaError_t error = (call);                                                                                        \
    if (error != cudaSuccess) {                                                                                        \
      fprintf(stderr, "CUDA error at %s:%d: %s (%s)\n", __FILE__, __LINE__, cudaGetErrorString(error), #call);         \
      exit(EXIT_FAILURE);                                                                                              \
    }                                                                                                                  \
  } while (0)

#define gpuErrchk(ans)                                                                                                 \
  { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}

static void check(cudaError_t error, const std::string &what) {
  if (error != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(error));
}

__global__ void shifted(double *out, const double *in, double by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(i + 1) % n] * by + in[i] * in[i];
}

double by_macro(const double *in, double by, int n) {
  double *x, *y, sum = 0, *host = (double *)malloc(n * sizeof(double));
  CUDA_CHECK(cudaMalloc(&x, n * sizeof(double)));
  CUDA_CHECK(cudaMalloc((void **)&y, n * sizeof(double)));
  CUDA_CHECK(cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice));
  shifted<<<(n + 15) / 16, 16>>>(y, x, by, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(host, y, n * sizeof(double), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) sum += host[i];
  CUDA_CHECK(cudaFree(x));
  CUDA_CHECK(cudaFree(y));
  free(host);
  return sum;
}

double by_function(const double *in, double by, int n) {
  double *x, *y, last;
  gpuErrchk(cudaMalloc(&x, n * sizeof(double)));
  gpuErrchk(cudaMalloc(&y, n * sizeof(double)));
  gpuErrchk(cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice));
  for (int t = 0; t < 2; ++t) {
    shifted<<<(n + 15) / 16, 16>>>(y, x, by, n);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaMemcpy(x, y, n * sizeof(double), cudaMemcpyDeviceToDevice));
  }
  gpuErrchk(cudaMemcpy(&last, x + n - 1, sizeof(double), cudaMemcpyDeviceToHost));
  gpuErrchk(cudaFree(x));
  gpuErrchk(cudaFree(y));
  return last;
}

void by_exception(double *out, const double *in, double by, int n) {
  if (n < 2) throw std::invalid_argument("two numbers are needed");
  double *x = nullptr;
  check(cudaMalloc(&x, 2 * n * sizeof(double)), "memory");
  check(cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice), "copy");
  shifted<<<(n + 15) / 16, 16>>>(x + n, x, by, n);
  check(cudaGetLastError(), "launch");
  check(cudaMemcpy(out, x + n, n * sizeof(double), cudaMemcpyDeviceToHost), "copy back");
  cudaFree(x);
}

// One way out, by flags and goto-less cleanup; the device is asked for its limits first.
int by_status(double *out, const double *in, double by, int n) {
  int device = 0, count = 0;
  cudaDeviceProp properties;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return 1;
  cudaSetDevice(device);
  cudaGetDeviceProperties(&properties, device);
  int threads = properties.maxThreadsPerBlock < 32 ? properties.maxThreadsPerBlock : 32;
  double *x = nullptr, *y = nullptr;
  bool ok = cudaMalloc(&x, n * sizeof(double)) == cudaSuccess && cudaMalloc(&y, n * sizeof(double)) == cudaSuccess;
  if (ok) {
    ok = cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice) == cudaSuccess;
    if (ok) {
      shifted<<<(n + threads - 1) / threads, threads>>>(y, x, by, n);
      ok = cudaGetLastError() == cudaSuccess;
    }
    if (!ok) std::cerr << "failed: " << cudaGetErrorString(cudaGetLastError()) << std::endl;
    else cudaMemcpy(out, y, n * sizeof(double), cudaMemcpyDeviceToHost);
  }
  cudaFree(x);
  cudaFree(y);
  return ok ? 0 : 2;
}

// A function of the program's own that logs; what it is given may do something.
static FILE *log_file = nullptr;
static int note(int level, const char *format, va_list rest) {
  static char prefix[8] = "note: ";
  FILE *file = level > 3 && log_file != nullptr ? log_file : stderr;
  if (std::string(prefix).c_str()[0] == 'n' && level > 5) note(level - 6, format, rest);
  return level > 5 ? vfprintf(file, format, rest) : 0;
}
static int say(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  const int written = note(1, format, rest);
  va_end(rest);
  return written;
}

void by_logging(double *out, const double *in, double by, int n) {
  char name[8] = "in";
  double *x, *y;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  say("%d numbers from %s, the first is %f\n", n--, name, in[0]);
  shifted<<<1, 32>>>(y, x, by, ++n);
  if (cudaGetLastError() != cudaSuccess) say("failed\n");
  cudaMemcpy(out, y, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
}
