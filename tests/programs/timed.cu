// Host code that asks for the time, and for the smaller of two numbers as kernels do.
#include <cuda_runtime.h>
#include <sys/time.h>

#include <cstdio>
#include <ctime>

__host__ __device__ inline int larger(int a, int b) { return max(a, b); }

__global__ void step(double *y, const double *x, double a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < larger(n, 0)) y[i] = a * x[i] * x[i] + 0.5 * min(y[i], 3.0);
}

static double seconds() {
  struct timeval now;
  gettimeofday(&now, NULL);
  return now.tv_sec + 1e-6 * now.tv_usec;
}

double timed(const double *x, double a, int n) {
  const size_t bytes = n * sizeof(double);
  double *in, *out, host[8];
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  const double start = seconds();
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(out, 0, bytes);
  cudaMemcpy(in, x, bytes, cudaMemcpyHostToDevice);
  step<<<min(2, (n + 31) / 32), max(32, 16)>>>(out, in, a, larger(n, 1));
  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  clock_gettime(CLOCK_MONOTONIC, &end);
  const double spent = (end.tv_sec - begin.tv_sec) + 1e-9 * (end.tv_nsec - begin.tv_nsec);
  if (seconds() < start || spent < 0) fprintf(stderr, "the clock goes backwards\n");
  cudaFree(in);
  cudaFree(out);
  return min(host[0], host[1]) * max(host[1], 0.1) + fmin(host[2], 2.0);
}

// What is measured is kept in static variables.
static double since(int which) {
  static struct timeval time;
  static struct timeval before[3];
  static double spent[2][2];
  double passed = -1;
  gettimeofday(&time, NULL);
  if (which >= 0 && which <= 2) {
    passed = double(time.tv_sec - before[which].tv_sec) + 1e-6 * double(time.tv_usec - before[which].tv_usec);
    before[which] = time;
  }
  spent[1][which] += seconds() - spent[1][which];
  return passed;
}
double measured(const double *x, int n) {
  static double start = 0;
  double *in, *out, host[8], sum = 0;
  start = seconds();
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemset(out, 0, n * sizeof(double));
  cudaMemcpy(in, x, n * sizeof(double), cudaMemcpyHostToDevice);
  since(1);
  step<<<1, 32>>>(out, in, 0.5, n);
  cudaMemcpy(host, out, n * sizeof(double), cudaMemcpyDeviceToHost);
  if (since(1) < 0 || start < 0) fprintf(stderr, "the clock goes backwards\n");
  for (int i = 0; i < n; ++i) sum += host[i] * x[i];
  cudaFree(in);
  cudaFree(out);
  return sum;
}
