// Streams, events and pinned memory: what keeps an order, and has no derivative.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void square(double *out, const double *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}
__global__ void add(double *out, const double *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[i];
}

// Two streams, one after the other by an event.
void two_streams(double *out, const double *in, int n) {
  cudaStream_t first, second;
  cudaEvent_t ready;
  cudaStreamCreate(&first);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  double *x, *y;
  cudaMallocAsync(&x, n * sizeof(double), first);
  cudaMallocAsync((void **)&y, n * sizeof(double), first);
  cudaMemcpyAsync(x, in, n * sizeof(double), cudaMemcpyHostToDevice, first);
  cudaMemsetAsync(y, 0, n * sizeof(double), first);
  square<<<(n + 31) / 32, 32, 0, first>>>(y, x, n);
  cudaEventRecord(ready, first);
  cudaStreamWaitEvent(second, ready, 0);
  add<<<(n + 31) / 32, 32, 0, second>>>(y, x, n);
  cudaMemcpyAsync(out, y, n * sizeof(double), cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  cudaFreeAsync(x, second);
  cudaFreeAsync(y, second);
  cudaStreamSynchronize(second);
  cudaEventDestroy(ready);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

// Parts of the data go through the device one after another, each in a stream of its own, by way of pinned memory.
double overlapped(const double *in, int n, int parts) {
  const int size = n / parts;
  cudaStream_t streams[4];
  double *pinned, *device;
  for (int k = 0; k < parts; ++k) cudaStreamCreate(&streams[k]);
  cudaMallocHost((void **)&pinned, n * sizeof(double));
  cudaMalloc(&device, n * sizeof(double));
  for (int i = 0; i < n; ++i) pinned[i] = 0.5 * in[i];
  for (int k = 0; k < parts; ++k) {
    int at = k * size;
    cudaMemcpyAsync(device + at, pinned + at, size * sizeof(double), cudaMemcpyHostToDevice, streams[k]);
    square<<<1, 32, 0, streams[k]>>>(device + at, device + at, size);
    cudaMemcpyAsync(pinned + at, device + at, size * sizeof(double), cudaMemcpyDeviceToHost, streams[k]);
  }
  for (int k = 0; k < parts; ++k) {
    cudaStreamSynchronize(streams[k]);
    cudaStreamDestroy(streams[k]);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += pinned[i] * (1 + i % 4);
  cudaFreeHost(pinned);
  cudaFree(device);
  return sum;
}

// Timing by events, and a line of text.
double timed(const double *in, int n) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  double *x, last;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaEventRecord(start);
  for (int t = 0; t < 3; ++t) square<<<(n + 31) / 32, 32>>>(x, x, n);
  cudaEventRecord(stop, 0);
  cudaEventSynchronize(stop);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, stop);
  if (milliseconds < 0) printf("took %f ms\n", milliseconds);
  cudaMemcpy(&last, x + n - 1, sizeof(double), cudaMemcpyDeviceToHost);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFree(x);
  return last;
}

// On the caller's stream, which helpers are given too.
static void launch_on(double *out, const double *in, int n, cudaStream_t stream, cudaEvent_t *done) {
  square<<<(n + 15) / 16, 16, 0, stream>>>(out, in, n);
  if (done) cudaEventRecord(*done, stream);
}
double on_the_callers(const double *in, int n, cudaStream_t stream) {
  double *d_in, *d_out, *pinned, sum = 0;
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaMallocHost(&pinned, n * sizeof(double));
  cudaMallocAsync(&d_in, n * sizeof(double), stream);
  cudaMallocAsync(&d_out, n * sizeof(double), stream);
  for (int i = 0; i < n; ++i) pinned[i] = in[i] * in[i];
  cudaMemcpyAsync(d_in, pinned, n * sizeof(double), cudaMemcpyHostToDevice, stream);
  launch_on(d_out, d_in, n, stream, &done);
  launch_on(d_in, d_out, n, stream, nullptr);
  cudaMemcpyAsync(pinned, d_in, n * sizeof(double), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  for (int i = 0; i < n; ++i) sum += pinned[i] * pinned[i];
  cudaFreeAsync(d_in, stream);
  cudaFreeAsync(d_out, stream);
  cudaFreeHost(pinned);
  cudaEventDestroy(done);
  return sum;
}

// Memory from a pool that is told to keep it.
double from_a_pool(const double *in, int n) {
  double *d_in, *d_out, sum = 0;
  cudaMemPool_t pool;
  cudaStream_t stream;
  unsigned long long kept = ~0ull;
  cudaStreamCreate(&stream);
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, (void *)&kept);
  for (int step = 0; step < 2; ++step) {
    cudaMallocFromPoolAsync((void **)&d_in, n * sizeof(double), pool, stream);
    cudaMallocFromPoolAsync((void **)&d_out, n * sizeof(double), pool, stream);
    cudaMemcpyAsync(d_in, in, n * sizeof(double), cudaMemcpyHostToDevice, stream);
    launch_on(d_out, d_in, n, stream, nullptr);
    double last;
    cudaMemcpyAsync(&last, d_out + step, sizeof(double), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    sum += last * in[step];
    cudaFreeAsync(d_in, stream);
    cudaFreeAsync(d_out, stream);
  }
  cudaMemPoolTrimTo(pool, 0);
  cudaStreamDestroy(stream);
  return sum;
}

// As many streams and events as the program counts.
void by_count(double *out, const double *in, int n, int count) {
  cudaStream_t *streams = new cudaStream_t[count], first[count];
  std::vector<cudaEvent_t> done(count);
  for (int s = 0; s < count; ++s) {
    cudaStreamCreate(&streams[s]);
    cudaEventCreate(&done[s]);
    first[s] = streams[s];
  }
  int part = n / count;
  for (int s = 0; s < count; ++s) launch_on(out + s * part, in + s * part, part, first[s], &done[s]);
  for (cudaEvent_t &event : done) {
    cudaEventSynchronize(event);
    cudaEventDestroy(event);
  }
  for (int s = 0; s < count; ++s) cudaStreamDestroy(streams[s]);
  delete[] streams;
}

// A stream that has been made is not null.
void if_made(double *out, const double *in, int n) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  if (stream == nullptr) return;
  square<<<1, 64, 0, stream>>>(out, in, n);
  cudaStreamDestroy(stream);
}

// Nor is one that is kept in memory.
struct Context {
  cudaStream_t stream;
  cudaEvent_t done;
};
Context lasting;
void kept_in_memory(double *out, const double *in, int n) {
  if (lasting.stream == nullptr) cudaStreamCreate(&lasting.stream);
  cudaEventCreate(&lasting.done);
  if (lasting.stream == nullptr) return;
  square<<<1, 64, 0, lasting.stream>>>(out, in, n);
  cudaEventRecord(lasting.done, lasting.stream);
}
