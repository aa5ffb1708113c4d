// Host functions that call host functions that allocate, launch and give pointers back.
#include <cuda_runtime.h>
#include <cstdlib>

__global__ void axpy(double *y, const double *x, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void times(double *z, const double *x, const double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] * y[i];
}

static double *to_device(const double *host, int n) {
  double *device = nullptr;
  cudaMalloc(&device, n * sizeof(double));
  cudaMemcpy(device, host, n * sizeof(double), cudaMemcpyHostToDevice);
  return device;
}

static void to_host(double *host, double *device, int n) {
  cudaMemcpy(host, device, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(device);
}

static int blocks_for(int n, int size = 32) { return (n + size - 1) / size; }

static void launch_axpy(double *y, const double *x, double a, int n, cudaStream_t stream = 0) {
  if (n > 0) axpy<<<blocks_for(n), 32, 0, stream>>>(y, x, a, n);
}

static double device_dot(const double *x, const double *y, int n) {
  double *z, *host = (double *)malloc(n * sizeof(double));
  cudaMalloc(&z, n * sizeof(double));
  times<<<blocks_for(n, 64), 64>>>(z, x, y, n);
  cudaMemcpy(host, z, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(z);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += host[i];
  free(host);
  return sum;
}

double energy(const double *x, const double *y, double a, int n) {
  double *d_x = to_device(x, n), *d_y = to_device(y, n);
  launch_axpy(d_y, d_x, a, n);
  double norm = device_dot(d_y, d_y, n), overlap = device_dot(d_x, d_y, n);
  launch_axpy(d_x, d_y, norm / (1 + overlap), n);
  double result = norm + device_dot(d_x, d_x, n);
  cudaFree(d_x);
  cudaFree(d_y);
  return result;
}

// The same kernel on parts of a buffer, with numbers that come from the host.
void blocks_of(double *y, const double *x, const double *weights, int n, int parts) {
  double *d_x = to_device(x, n), *d_y = to_device(y, n);
  int size = n / parts;
  for (int p = 0; p < parts; ++p) {
    const double *from = d_x + p * size;
    double *to = d_y + ((p + 1) % parts) * size;
    launch_axpy(to, from, weights[p] * weights[(p + 1) % parts], size);
  }
  to_host(y, d_y, n);
  cudaFree(d_x);
}

static void refine(double *y, double *x, double a, int n, int depth) {
  if (depth == 0) return;
  launch_axpy(y, x, a, n);
  refine(x, y, a * 0.5, n, depth - 1);
}
// To and fro by recursion.
void recursive(double *y, double *x, double a, int n) { refine(y, x, a, n, 3); }

// References and pointers to numbers of the host.
static void accumulate(double &sum, double *count, const double *x, int n) {
  sum += device_dot(x, x, n);
  *count += 1;
}
double mean_square(const double *x, int n, int groups) {
  double sum = 0, count = 0;
  double *d_x = to_device(x, n);
  for (int g = 0; g < groups; ++g) accumulate(sum, &count, d_x + g * (n / groups), n / groups);
  cudaFree(d_x);
  return sum / count;
}

// What is passed to a kernel is computed once, whatever it does.
static int counted(int &count) { return ++count; }
double with_effects(const double *x, double a, int n) {
  double *d_x = to_device(x, n), *d_y = to_device(x, n), last;
  int count = 0, calls = 0;
  axpy<<<1, 32>>>(d_y, d_x, a * ++count, n);
  axpy<<<1, 32>>>(d_x, d_y, a += 1, n);
  axpy<<<1, 32>>>(d_y, d_x, a / counted(calls), count++ ? n : 0);
  cudaMemcpy(&last, d_y + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  return last * count + calls;
}
