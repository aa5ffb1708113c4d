// Device memory and times for `python -m benchmarks`: many calls between two events, so that what the host does between
// launches is not in them.
#include <chrono>
#include <cuda_runtime.h>

typedef int (*entry)(const void *launch, void **args);

#define EXPORT extern "C" __attribute__((visibility("default")))
#define TRY(call)                                    \
  do {                                               \
    const cudaError_t failed = (call);               \
    if (failed != cudaSuccess) return (int)failed;   \
  } while (0)

// Keeps the device busy while the calls of a window are enqueued.
__global__ void wait(unsigned long long nanoseconds) {
  unsigned long long first, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(first));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - first < nanoseconds);
}

EXPORT int bench_allocate(void **memory, unsigned long long bytes) { return (int)cudaMalloc(memory, bytes); }
EXPORT int bench_free(void *memory) { return (int)cudaFree(memory); }
EXPORT int bench_write(void *to, const void *from, unsigned long long bytes) {
  return (int)cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}
EXPORT int bench_read(void *to, const void *from, unsigned long long bytes) {
  return (int)cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
}
EXPORT int bench_copy(void *to, const void *from, unsigned long long bytes) {
  return (int)cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
EXPORT int bench_synchronize() { return (int)cudaDeviceSynchronize(); }
EXPORT const char *bench_error(int error) { return cudaGetErrorString((cudaError_t)error); }

EXPORT int bench_device(char *name, int length, int *major, int *minor) {
  cudaDeviceProp found;
  TRY(cudaGetDeviceProperties(&found, 0));
  for (int i = 0; i < length; ++i) {
    name[i] = found.name[i];
    if (!name[i]) break;
  }
  *major = found.major;
  *minor = found.minor;
  return 0;
}

// The most memory that was allocated on streams since the last call.
EXPORT int bench_pool_peak(unsigned long long *bytes) {
  cudaMemPool_t pool;
  unsigned long long none = 0;
  TRY(cudaDeviceGetDefaultMemPool(&pool, 0));
  TRY(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, bytes));
  TRY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none));
  return 0;
}

// Memory that was allocated on streams stays in the pool, as frameworks have it.
EXPORT int bench_keep_pool() {
  cudaMemPool_t pool;
  unsigned long long all = ~0ULL;
  TRY(cudaDeviceGetDefaultMemPool(&pool, 0));
  return (int)cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
}

// `windows` times: the state is restored, and the entry called once with each of the `sets` of arguments, between two
// events; milliseconds per call in `times`, those of the host in `host`. The device waits at first for the nanoseconds that
// it takes to enqueue a window.
EXPORT int bench_time(entry run, const void *launch, void ***args, int sets, int windows, void *state,
                      const void *pristine, unsigned long long bytes, double enqueuing, float *times, float *host) {
  typedef std::chrono::steady_clock clock;
  cudaEvent_t first, second;
  TRY(cudaEventCreate(&first));
  TRY(cudaEventCreate(&second));
  for (int w = 0; w < windows; ++w) {
    if (bytes) TRY(cudaMemcpyAsync(state, pristine, bytes, cudaMemcpyDeviceToDevice, nullptr));
    if (enqueuing > 0) wait<<<1, 1>>>((unsigned long long)enqueuing);
    TRY(cudaEventRecord(first, nullptr));
    const clock::time_point start = clock::now();
    for (int s = 0; s < sets; ++s) {
      const int failed = run(launch, args[s]);
      if (failed) return failed;
    }
    const double spent = std::chrono::duration<double, std::nano>(clock::now() - start).count();
    TRY(cudaEventRecord(second, nullptr));
    TRY(cudaEventSynchronize(second));
    TRY(cudaEventElapsedTime(&times[w], first, second));
    times[w] /= sets;
    host[w] = (float)(spent * 1e-6 / sets);
  }
  TRY(cudaEventDestroy(first));
  TRY(cudaEventDestroy(second));
  return 0;
}

// Of a and b: the squares of b and of the difference summed, the largest |b| and |a - b|; NaN counts as infinite.
template <class T>
__global__ void difference(const T *a, const T *b, unsigned long long n, double *found) {
  double squares = 0, wrong = 0, largest = 0, apart = 0;
  for (unsigned long long i = blockIdx.x * 1ULL * blockDim.x + threadIdx.x; i < n; i += 1ULL * gridDim.x * blockDim.x) {
    const double x = a[i], y = b[i], d = x == y ? 0.0 : fabs(x - y);
    squares += y * y;
    wrong += d == d ? d * d : INFINITY;
    largest = fmax(largest, fabs(y));
    apart = d == d ? fmax(apart, d) : INFINITY;
  }
  __shared__ double s[4][256];
  const int t = threadIdx.x;
  s[0][t] = squares, s[1][t] = wrong, s[2][t] = largest, s[3][t] = apart;
  __syncthreads();
  if (t == 0) {
    for (int k = 1; k < 256; ++k)
      s[0][0] += s[0][k], s[1][0] += s[1][k], s[2][0] = fmax(s[2][0], s[2][k]), s[3][0] = fmax(s[3][0], s[3][k]);
    atomicAdd(&found[0], s[0][0]);
    atomicAdd(&found[1], s[1][0]);
    // numbers that are not negative have the order of their bits
    atomicMax((unsigned long long *)&found[2], (unsigned long long)__double_as_longlong(s[2][0]));
    atomicMax((unsigned long long *)&found[3], (unsigned long long)__double_as_longlong(s[3][0]));
  }
}

EXPORT int bench_difference(const void *a, const void *b, unsigned long long n, int is_double, double *found) {
  double *sums;
  TRY(cudaMalloc(&sums, 4 * sizeof(double)));
  TRY(cudaMemset(sums, 0, 4 * sizeof(double)));
  if (is_double)
    difference<<<1024, 256>>>((const double *)a, (const double *)b, n, sums);
  else
    difference<<<1024, 256>>>((const float *)a, (const float *)b, n, sums);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(found, sums, 4 * sizeof(double), cudaMemcpyDeviceToHost));
  return (int)cudaFree(sums);
}
