// Scratch memory that is made once, and lasts from call to call.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t status_ = (call);                                                   \
    if (status_ != cudaSuccess) {                                                   \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      std::exit(1);                                                                 \
    }                                                                               \
  } while (0)

__global__ void half(const double *x, double *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[i] = 0.5 * x[i] * x[i];
}
__global__ void multiply(const double *x, const double *s, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * s[n - 1 - i];
}

static double *scratch = nullptr;
static double *grown;
static size_t capacity = 0;
namespace counted {
int allocations = 0;
}

void lazily(const double *x, double *y, int n) {
  if (!scratch) cudaMalloc(&scratch, 64 * sizeof(double));
  half<<<1, 64>>>(x, scratch, n);
  multiply<<<1, 64>>>(x, scratch, y, n);
}

void statically(const double *x, double *y, int n) {
  static double *buffer = nullptr;
  static thread_local int calls = 0;
  ++calls;
  if (buffer == nullptr) CHECK(cudaMalloc(&buffer, 64 * sizeof(double)));
  half<<<1, 64>>>(x, buffer, n);
  multiply<<<1, 64>>>(x, buffer, y, n);
}

static void ensure(size_t n) {
  if (n <= capacity) return;
  if (grown) CHECK(cudaFree(grown));
  size_t wanted = n;
  for (size_t size = 16; size < 2 * n; size *= 2) wanted = 2 * size;
  CHECK(cudaMalloc(&grown, wanted * sizeof(double)));
  capacity = wanted;
  ++counted::allocations;
}

// The second is larger: what the first has made is made again.
void growing(const double *x, double *y, int n) {
  ensure(n / 4);
  half<<<1, 64>>>(x, grown, n / 4);
  multiply<<<1, 64>>>(x, grown, y, n / 4);
  ensure(n);
  half<<<1, 64>>>(y, grown, n);
  multiply<<<1, 64>>>(x, grown, y, n);
}

static double *buffer(size_t n) {
  static double *held = nullptr;
  static size_t room = 0;
  if (n > room) {
    cudaFree(held);
    if (cudaMalloc((void **)&held, n * sizeof(double)) != cudaSuccess) return nullptr;
    room = n;
  }
  return held;
}

struct Square {
  double *made;
  explicit Square(const double *x, int n) : made(buffer(n)) { half<<<1, 64>>>(x, made, n); }
};

void by_function(const double *x, double *y, int n) {
  Square square(x, n);
  multiply<<<1, 64>>>(x, buffer(n), y, n);
}

double on_host(const double *x, int n) {
  static double *squares = (double *)std::malloc(32 * sizeof(double));
  for (int i = 0; i < n; ++i) squares[i] = x[i] * x[i];
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += squares[i] * squares[n - 1 - i] * x[i];
  return sum;
}

double in_arrays(const double *x, int n) {
  static double squares[32];
  static thread_local float first[2] = {1, 2};
  for (int i = 0; i < n; ++i) squares[i] = x[i] * x[i];
  first[1] = (float)x[0];
  double sum = first[1] * first[1];
  for (int i = 0; i < n; ++i) sum += squares[i] * squares[n - 1 - i];
  return sum;
}

// In each turn of a loop, and released where more is needed.
double renewed(const double *x, int n) {
  static double *values = NULL;
  static int size = 0;
  double sum = 0;
  for (int k = 1; k <= 2; ++k) {
    if (size < n) {
      delete[] values;
      values = new double[n];
      size = n;
    }
    for (int i = 0; i < n; ++i) values[i] = k * x[i] * x[i];
    for (int i = 0; i < n; ++i) sum += values[i] * x[n - 1 - i];
  }
  free(values);
  values = nullptr;
  size = 0;
  return sum;
}
