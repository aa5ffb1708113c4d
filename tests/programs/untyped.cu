// Memory that is allocated through pointers to void: what it holds is what they are converted to.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>

__global__ void squared(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}

void on_host(const double *x, double *y, int n) {
  void *memory = malloc(n * sizeof(double));
  memcpy(memory, x, n * sizeof(double));  // before it is converted
  double *numbers = (double *)memory;
  for (int i = 0; i < n; ++i) numbers[i] *= x[i];
  for (int i = 0; i < n; ++i) y[i] = numbers[i] * x[n - 1 - i];
  free(memory);
}

void on_device(const double *x, double *y, int n) {
  void *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemcpy(in, x, n * sizeof(double), cudaMemcpyHostToDevice);
  squared<<<(n + 31) / 32, 32>>>(static_cast<const double *>(in), static_cast<double *>(out), n);
  squared<<<(n + 31) / 32, 32>>>(static_cast<double *>(out), (double *)in, n);
  cudaMemcpy(y, in, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
}

struct Pair {
  double first, second;
};

static void *checked(size_t bytes, const char *file) {
  void *found = malloc(bytes);
  if (found == nullptr) exit(file != nullptr);
  return found;
}

void through_a_helper(const double *x, double *y, int n) {
  Pair *pairs = (Pair *)checked(n * sizeof(Pair), __FILE__);
  float *singles = (float *)checked(n * sizeof(float), __FILE__);
  int *places = (int *)checked(n * sizeof(int), __FILE__);
  for (int i = 0; i < n; ++i) {
    places[i] = (3 * i + 1) % n;
    pairs[i].first = x[i] * x[i];
    pairs[i].second = sin(x[i]);
    singles[i] = 0.5f * (i + 1);
  }
  for (int i = 0; i < n; ++i) y[i] = pairs[places[i]].first * pairs[i].second * singles[i];
  free(pairs);
  free(singles);
  free(places);
}

void in_a_loop(const double *x, double *y, int n, int levels) {
  double *before = (double *)checked(n * sizeof(double), nullptr);
  memcpy(before, x, n * sizeof(double));
  for (int level = 0; level < levels; ++level) {
    void *next = calloc(n, sizeof(double));
    for (int i = 0; i < n; ++i) ((double *)next)[i] += before[i] * before[(i + level) % n];
    free(before);
    before = (double *)next;
  }
  memcpy(y, before, n * sizeof(double));
  free(before);
}

void by_bytes(const double *x, double *y, int n) {
  void *memory = malloc(2 * n * sizeof(double));
  char *bytes = (char *)memory;
  double *low = (double *)bytes, *high = (double *)(bytes + n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    low[i] = x[i] * x[i];
    high[i] = low[i] * x[i];
  }
  for (int i = 0; i < n; ++i) y[i] = low[i] + high[n - 1 - i];
  free(memory);
}

// What one array holds, nothing says, and nothing asks.
void filled_alone(const double *x, double *y, int n) {
  void *unread = malloc(n);
  memset(unread, 1, n);
  for (int i = 0; i < n; ++i) y[i] = x[i] * x[i];
  free(unread);
}
