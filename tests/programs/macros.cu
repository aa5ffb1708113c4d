// Launches that stand in macros.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>
#include <cstdlib>

#define BLOCK 16
#define CHECK(call)                                        \
  do {                                                     \
    const cudaError_t said = (call);                       \
    if (said != cudaSuccess) {                             \
      fprintf(stderr, "%s\n", cudaGetErrorString(said));   \
      exit(1);                                             \
    }                                                      \
  } while (0)
#define LAUNCH(kernel, n, ...) kernel<<<((n) + BLOCK - 1) / BLOCK, BLOCK>>>(__VA_ARGS__)
#define RUN(kernel, grid, block, shared, stream, ...)      \
  do {                                                     \
    kernel<<<(grid), (block), (shared),                    \
             (stream)>>>(__VA_ARGS__); /* and wait */      \
    CHECK(cudaGetLastError());                             \
    CHECK(cudaDeviceSynchronize());                        \
  } while (0)
#define SQUARE_ALL(x, n) affine<double, 1><<<1, 32>>>(x, x, 1.0, n)
#define WITHOUT_ARGUMENTS(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)

__device__ double total;

__global__ void reset() { total = 0; }
__global__ void sum(const double *x, int n) {
  for (int i = 0; i < n; ++i) total += x[i] * (i + 1);
}
template <class T, int power>
__global__ void affine(T *y, const T *x, T a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T value = a * x[i];
  for (int k = 0; k < power; ++k) value *= x[i];
  y[i] = value;
}

double by_macros(const double *x, double a, int n, int steps) {
  double *now, *next, found;
  CHECK(cudaMalloc(&now, n * sizeof(double)));
  CHECK(cudaMalloc(&next, n * sizeof(double)));
  CHECK(cudaMemcpy(now, x, n * sizeof(double), cudaMemcpyHostToDevice));
  for (int step = 0, count = 0; step < steps; ++step) {
    LAUNCH((affine<double, 2>), n, next, now, a * ++count, n);
    SQUARE_ALL(next, n);
    RUN((affine<double, 0>), dim3(1, 1), dim3(32), 0, nullptr, now, next, 0.5, n);
  }
  WITHOUT_ARGUMENTS(reset);
  RUN(sum, 1, 1, 0, 0, now, n);
  CHECK(cudaMemcpyFromSymbol(&found, total, sizeof found));
  CHECK(cudaFree(now));
  CHECK(cudaFree(next));
  return found;
}

// Statements as expressions.
#define CHECKED(call)                       \
  ({                                        \
    cudaError_t failed = (call);            \
    if (failed != cudaSuccess) exit(failed); \
    failed;                                 \
  })
#define LAUNCHED(kernel, n, ...)                         \
  ({                                                     \
    kernel<<<((n) + 31) / 32, 32>>>(__VA_ARGS__);        \
    CHECKED(cudaDeviceSynchronize());                    \
  })
#define LARGER(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

double by_expressions(const double *x, double a, int n) {
  double *now = ({ double *p; CHECKED(cudaMalloc(&p, n * sizeof(double))); p; });
  cudaError_t all = CHECKED(cudaMemcpy(now, x, n * sizeof(double), cudaMemcpyHostToDevice));
  for (int step = 0; step < 3 && LAUNCHED((affine<double, 1>), n, now, now, a * (step + 1), n) == cudaSuccess; ++step) a *= 0.9;
  std::vector<double> found(n);
  all = CHECKED(cudaMemcpy(found.data(), now, n * sizeof(double), cudaMemcpyDeviceToHost));
  double sum = all == cudaSuccess ? 0 : 1;
  for (double one : found) sum += LARGER(one, 0.01) * a;
  CHECKED(cudaFree(now));
  return sum;
}

// Arguments that are there only sometimes.
void among_directives(double *x, double a, int n) {
  affine<double, 2><<<(n + 31) / 32, 32>>>(
    x,
#ifndef OTHER_WAY
    x,
#else
    x + 1,
#endif
    a
#ifndef OTHER_WAY
    , n
#endif
  );
}
