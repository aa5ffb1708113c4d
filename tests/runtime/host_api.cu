// Calls of the CUDA runtime that the tests of the host backend make; each returns the error, or 0.
#include <cuda_runtime.h>

#include <cstdlib>

__device__ double table[4];
__constant__ double factors[2] = {2.0, 3.0};

__global__ void add_one(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
__global__ void store_at(double *x, int i) { x[i] = 1; }

extern "C" int call_wrongly(int how, double *given, unsigned long long) {
  double *x = nullptr, *pinned = nullptr, *other, local[64] = {};
  cudaMalloc(&x, 8 * sizeof(double));
  cudaMallocHost(&pinned, 8 * sizeof(double));
  int error = 0;
  switch (how) {
  case 0: cudaFree(x); error = cudaFree(x); x = nullptr; break;
  case 1: error = cudaFree(x + 1); break;
  case 2: error = cudaFree(pinned); break;
  case 3: error = cudaFreeHost(x); break;
  case 4: error = cudaFree(local); break;
  case 5: error = cudaMemcpy(x, local, 9 * sizeof(double), cudaMemcpyHostToDevice); break;
  case 6: error = cudaMemcpy(local, x + 4, 5 * sizeof(double), cudaMemcpyDeviceToHost); break;
  case 7: cudaFree(x); error = cudaMemcpy(local, x, 8, cudaMemcpyDeviceToHost); x = nullptr; break;
  case 8: error = cudaMemcpy(local, x, 8, cudaMemcpyHostToDevice); break;
  case 9: error = cudaMemcpy(x, local, 8, cudaMemcpyDeviceToHost); break;
  case 10: error = cudaMemset(local, 0, sizeof local); break;
  case 11: error = cudaMemset(x, 0, 65); break;
  case 12: error = cudaMemcpy(x, given, 8 * sizeof(double), cudaMemcpyHostToDevice); break;
  case 13: error = cudaMemcpy2D(x, 16, local, 32, 16, 5, cudaMemcpyHostToDevice); break;
  case 14: error = cudaMemcpy2D(x, 8, local, 32, 16, 2, cudaMemcpyHostToDevice); break;
  case 15: error = cudaMemcpyToSymbol(table, local, 5 * sizeof(double)); break;
  case 16: error = cudaMemcpy(x, local, 8, cudaMemcpyKind(7)); break;
  case 17: error = cudaMemcpy(nullptr, local, 8, cudaMemcpyHostToDevice); break;
  case 18: cudaFree(x); error = cladpy::host::launch(1, 8, 0, nullptr, [&] { add_one(x, 8); }); x = nullptr; break;
  case 19: error = cladpy::host::launch(1, 1, 0, nullptr, [&] { store_at(x, 32); }); break;
  case 20: error = (cladpy::host::launch(1, 1, 0, nullptr, [&] { store_at(x, 9); }), cudaFree(x)); x = nullptr; break;
  case 21: error = cladpy::host::launch(1, 1, 0, nullptr, [&] { store_at(nullptr, 0); }); break;
  case 22: error = cladpy::host::launch(0, 32, 0, nullptr, [&] { store_at(x, 0); }); break;
  case 23: cudaFree(given); error = cudaMemcpy(local, given, 8, cudaMemcpyDeviceToHost); break;
  case 24: error = cudaMalloc(&other, std::size_t(1) << 60); break;
  }
  const int said = cudaGetLastError();
  if (x) cudaFree(x);
  cudaFreeHost(pinned);
  return error == said ? error : -1;
}

// Everything as it should be; the number of the first thing that is not.
extern "C" int call_rightly(double *given, int n) {
  int at = 0;
#define RIGHT(condition)                                                                                               \
  ++at;                                                                                                                \
  if (!(condition)) return at;
  double *x, *y, *managed, *pinned, *mapped, *symbol, local[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8];
  std::size_t pitch, size;
  RIGHT(cudaMalloc(&x, sizeof local) == cudaSuccess && x[0] != x[0])
  RIGHT(cudaMallocAsync((void **)&y, 64, cudaStreamPerThread) == cudaSuccess)
  RIGHT(cudaMallocManaged(&managed, 64) == cudaSuccess && cudaHostAlloc(&pinned, 64, cudaHostAllocMapped) == cudaSuccess)
  RIGHT(cudaMemcpy(x, local, sizeof local, cudaMemcpyHostToDevice) == cudaSuccess)
  RIGHT(cudaMemcpyAsync(y, x, 64, cudaMemcpyDeviceToDevice, 0) == cudaSuccess)
  RIGHT(cudaMemcpy(managed, y, 64, cudaMemcpyDefault) == cudaSuccess && managed[7] == 8)
  RIGHT(cudaMemcpy(pinned, managed, 64, cudaMemcpyDeviceToHost) == cudaSuccess && pinned[7] == 8)
  RIGHT(cudaMemcpy(x + 6, pinned, 16, cudaMemcpyHostToDevice) == cudaSuccess)
  RIGHT(cudaMemcpyPeer(y, 0, x, 0, 64) == cudaSuccess && cudaMemcpy(back, y, 64, cudaMemcpyDeviceToHost) == cudaSuccess)
  RIGHT(back[5] == 6 && back[6] == 1 && back[7] == 2)
  RIGHT(cudaMemcpy(given, x, 8 * n, cudaMemcpyDeviceToHost) == cudaSuccess)
  RIGHT(cudaMemcpy(given, x, 8 * n, cudaMemcpyDeviceToDevice) == cudaSuccess)
  RIGHT(cladpy::host::launch(1, n, 0, nullptr, [&] { add_one(given, n); }) == cudaSuccess && given[0] == 2)
  RIGHT(cudaMemset(x, 0, 64) == cudaSuccess && x[7] == 0 && cudaMemsetAsync(managed, 0, 8) == cudaSuccess)
  RIGHT(cudaMallocPitch(&mapped, &pitch, 24, 3) == cudaSuccess && pitch >= 24)
  RIGHT(cudaMemset2D(mapped, pitch, 0, 24, 3) == cudaSuccess)
  RIGHT(cudaMemcpy2D(mapped, pitch, local, 32, 24, 2, cudaMemcpyHostToDevice) == cudaSuccess)
  RIGHT(cudaMemcpy2D(back, 24, mapped, pitch, 24, 2, cudaMemcpyDeviceToHost) == cudaSuccess)
  RIGHT(back[2] == 3 && back[3] == 5 && back[5] == 7 && cudaFree(mapped) == cudaSuccess)
  RIGHT(cudaMemcpyToSymbol(table, local, 16, 8) == cudaSuccess && table[1] == 1 && table[2] == 2)
  RIGHT(cudaMemcpyFromSymbol(back, factors, 16) == cudaSuccess && back[1] == 3)
  RIGHT(cudaGetSymbolAddress((void **)&symbol, table) == cudaSuccess && cudaGetSymbolSize(&size, table) == cudaSuccess)
  RIGHT(size == 32 && cudaMemcpy(symbol, x, 32, cudaMemcpyDeviceToDevice) == cudaSuccess && table[2] == 0)
  cudaPointerAttributes attributes;
  RIGHT(cudaPointerGetAttributes(&attributes, x + 1) == cudaSuccess && attributes.type == cudaMemoryTypeDevice)
  RIGHT(cudaPointerGetAttributes(&attributes, managed) == cudaSuccess && attributes.type == cudaMemoryTypeManaged)
  RIGHT(cudaPointerGetAttributes(&attributes, pinned) == cudaSuccess && attributes.type == cudaMemoryTypeHost)
  RIGHT(cudaPointerGetAttributes(&attributes, local) == cudaSuccess && attributes.type == cudaMemoryTypeUnregistered)
  RIGHT(cudaHostRegister(local, sizeof local, 0) == cudaSuccess && cudaHostGetDevicePointer(&mapped, local, 0) == cudaSuccess)
  RIGHT(mapped == local && cudaMemset(mapped, 0, 64) == cudaSuccess && local[3] == 0)
  RIGHT(cudaHostUnregister(local) == cudaSuccess && cudaHostUnregister(local) == cudaErrorInvalidValue)
  (void)cudaGetLastError();
  double *nothing = local;
  RIGHT(cudaMalloc(&nothing, 0) == cudaSuccess && !nothing && cudaFree(nothing) == cudaSuccess)
  RIGHT(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDeviceToDevice) == cudaSuccess)
  void *arguments[] = {&x, &n};
  RIGHT(cudaLaunchKernel(add_one, dim3(1), dim3(32), arguments) == cudaSuccess && x[0] == 1)
  cudaStream_t stream;
  cudaEvent_t start, end;
  float milliseconds;
  RIGHT(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0) == cudaSuccess)
  RIGHT(cudaEventCreate(&start) == cudaSuccess && cudaEventCreateWithFlags(&end, cudaEventDisableTiming) == cudaSuccess)
  RIGHT(cudaEventRecord(start, stream) == cudaSuccess && cudaStreamWaitEvent(stream, start, 0) == cudaSuccess)
  RIGHT(cudaEventRecord(end) == cudaSuccess && cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess)
  RIGHT(milliseconds >= 0 && cudaStreamSynchronize(stream) == cudaSuccess && cudaStreamQuery(stream) == cudaSuccess)
  RIGHT(cudaEventDestroy(start) == cudaSuccess && cudaEventDestroy(end) == cudaSuccess)
  RIGHT(cudaStreamDestroy(stream) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess)
  int value;
  RIGHT(cudaDeviceGetAttribute(&value, cudaDevAttrMaxGridDimY, 0) == cudaSuccess && value == 65535)
  RIGHT(cudaFree(x) == cudaSuccess && cudaFreeAsync(y, 0) == cudaSuccess && cudaFree(managed) == cudaSuccess)
  RIGHT(cudaFreeHost(pinned) == cudaSuccess && cudaGetLastError() == cudaSuccess)
  return 0;
}

// Many blocks that are freed again, with some that live on among them.
extern "C" int make_and_free(int rounds) {
  double *kept[16] = {};
  for (int k = 0; k < rounds; ++k) {
    double *x;
    if (cudaMalloc(&x, 8 * (k % 700 + 1)) != cudaSuccess) return 1;
    double *&place = kept[k * 7 % 16];
    if (cudaFree(place) != cudaSuccess) return 2;
    place = x;
  }
  for (double *x : kept)
    if (cudaFree(x) != cudaSuccess) return 3;
  return 0;
}

// A program of six calls that may fail: two allocations, two copies, a launch, one that waits.
// Looks at no error, as programs that measure time do.
extern "C" float time_of_nothing() {
  cudaStream_t stream;
  cudaEvent_t start, stop;
  float time;
  cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  cudaEventRecord(stop, stream);
  cudaEventElapsedTime(&time, start, stop);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaStreamDestroy(stream);
  return time;
}

extern "C" int six_calls(double *given) {
  double *x = nullptr, *y = nullptr;
  cudaError_t error = cudaMalloc(&x, 64);
  if (error == cudaSuccess) error = cudaMalloc(&y, 64);
  if (error == cudaSuccess) error = cudaMemcpy(x, given, 64, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cladpy::host::launch(1, 8, 0, nullptr, [&] { add_one(x, 8); });
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = cudaMemcpy(given, x, 64, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  return error;
}
