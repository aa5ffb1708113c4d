// Ways to move memory: every kind of copy, memory that is set, pitches, streams, managed and pinned memory.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>

__global__ void square(double *out, const double *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}
__global__ void add_into(double *sum, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}
__global__ void scale(double *x, double factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

static int blocks(int n) { return (n + 31) / 32; }

// The usual order: allocate, copy, launch, copy back, sum up.
double sum_of_squares(const double *in, int n) {
  double *x, *y;
  size_t bytes = n * sizeof(double);
  cudaMalloc((void **)&x, bytes);
  cudaMalloc((void **)&y, bytes);
  cudaMemcpy(x, in, bytes, cudaMemcpyHostToDevice);
  square<<<blocks(n), 32>>>(y, x, n);
  double *host = (double *)malloc(bytes);
  cudaMemcpy(host, y, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += host[i] * (i + 1);
  free(host);
  cudaFree(y);
  cudaFree(x);
  return sum;
}

// Results are an argument; nothing is there to do for n = 0.
void squares(double *out, const double *in, int n) {
  if (n == 0) return;
  double *x;
  cudaMalloc(&x, n * sizeof *x);
  cudaMemcpy(x, in, n * sizeof *x, cudaMemcpyHostToDevice);
  square<<<blocks(n), 32>>>(x, x, n);
  cudaMemcpy(out, x, n * sizeof *x, cudaMemcpyDeviceToHost);
  cudaFree(x);
}

// Both halves are copied on their own, to each other's place.
void halves_swapped(double *out, const double *in, double factor, int n) {
  double *x;
  int half = n / 2;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x + half, in, half * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(x, in + half, half * sizeof(double), cudaMemcpyHostToDevice);
  scale<<<1, half>>>(x, factor, half);
  cudaMemcpy(out, x, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
}

// Device to device, and the source is overwritten before the copy is used.
void copied_then_overwritten(double *out, const double *in, int n) {
  double *x, *y;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
  scale<<<blocks(n), 32>>>(x, 3.0, n);
  cudaMemcpy(x, y, (n / 3) * sizeof(double), cudaMemcpyDeviceToDevice);
  square<<<blocks(n), 32>>>(y, x, n);
  cudaMemcpy(out, y, n * sizeof(double), cudaMemcpyDefault);
  cudaFree(x);
  cudaFree(y);
}

// A sum in one number that is set to zero before.
double sum_by_atomics(const double *in, int n) {
  double *x, *sum, result;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&sum, sizeof(double));
  cudaMemset(sum, 0, sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  square<<<blocks(n), 32>>>(x, x, n);
  add_into<<<blocks(n), 32>>>(sum, x, n);
  cudaMemcpy(&result, sum, sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(sum);
  return result * result;
}

// Memory that is set again within: what was there before counts no more.
void set_in_between(double *out, const double *in, int n) {
  double *x, *sum;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&sum, 2 * sizeof(double));
  cudaMemset(sum, 0, 2 * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  add_into<<<blocks(n), 32>>>(sum, x, n);
  add_into<<<blocks(n), 32>>>(sum + 1, x, n);
  cudaMemset(sum, 0, sizeof(double));
  square<<<blocks(n), 32>>>(x, x, n);
  add_into<<<blocks(n), 32>>>(sum, x, n);
  cudaMemcpy(out, sum, 2 * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(sum);
  cudaFree(x);
}

// Rows with a pitch.
__global__ void row_sums(double *out, const double *rows, size_t pitch, int width, int height) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  const double *row = rows + y * (pitch / sizeof(double));
  double sum = 0;
  for (int x = 0; x < width; ++x) sum += row[x] * row[x];
  out[y] = sum;
}
void pitched(double *out, const double *in, int width, int height) {
  double *rows, *sums;
  size_t pitch;
  cudaMallocPitch((void **)&rows, &pitch, width * sizeof(double), height);
  cudaMalloc(&sums, height * sizeof(double));
  cudaMemcpy2D(rows, pitch, in, width * sizeof(double), width * sizeof(double), height, cudaMemcpyHostToDevice);
  row_sums<<<1, 32>>>(sums, rows, pitch, width, height);
  cudaMemcpy(out, sums, height * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(sums);
  cudaFree(rows);
}

// A window out of a matrix and back into another.
void window(double *out, const double *in, int n, int from, int size) {
  double *x;
  cudaMalloc(&x, size * size * sizeof(double));
  cudaMemcpy2D(x, size * sizeof(double), in + from * n + from, n * sizeof(double), size * sizeof(double), size,
               cudaMemcpyHostToDevice);
  square<<<blocks(size * size), 32>>>(x, x, size * size);
  cudaMemcpy2D(out + from, n * sizeof(double), x, size * sizeof(double), size * sizeof(double), size,
               cudaMemcpyDeviceToHost);
  cudaFree(x);
}

// Managed memory, which the host reads and writes.
double managed(const double *in, int n) {
  double *x;
  cudaMallocManaged(&x, (n + 1) * sizeof(double));
  for (int i = 0; i < n; ++i) x[i] = in[i] * (1 + i % 3);
  x[n] = 0;
  square<<<blocks(n), 32>>>(x, x, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 2) x[i] *= 0.5;
  add_into<<<blocks(n), 32>>>(x + n, x, n);
  cudaDeviceSynchronize();
  double result = x[n];
  cudaFree(x);
  return result;
}

// calloc, memcpy, memset and realloc of the host, around a launch.
double host_memory(const double *in, int n) {
  double *host = (double *)calloc(n, sizeof(double));
  memcpy(host, in, (n - 1) * sizeof(double));
  host = (double *)realloc(host, 2 * n * sizeof(double));
  memcpy(host + n, host, n * sizeof(double));
  memset(host + n, 0, sizeof(double));
  double *x;
  cudaMalloc(&x, 2 * n * sizeof(double));
  cudaMemcpy(x, host, 2 * n * sizeof(double), cudaMemcpyHostToDevice);
  square<<<blocks(2 * n), 32>>>(x, x, 2 * n);
  cudaMemcpy(host, x, 2 * n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  double sum = 0;
  for (int i = 0; i < 2 * n; ++i) sum += host[i] * host[i];
  free(host);
  return sum;
}

// Temporaries that are allocated and freed in every step.
double temporaries(const double *in, int n, int steps) {
  double *x, *sum, total = 0;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    double *y, part = 0;
    cudaMalloc(&y, n * sizeof(double));
    cudaMalloc(&sum, sizeof(double));
    cudaMemcpy(sum, &part, sizeof(double), cudaMemcpyHostToDevice);
    square<<<blocks(n), 32>>>(y, x, n);
    add_into<<<blocks(n), 32>>>(sum, y, n);
    cudaMemcpy(&part, sum, sizeof(double), cudaMemcpyDeviceToHost);
    total += part * (t + 1);
    cudaMemcpy(x, y, n * sizeof(double), cudaMemcpyDeviceToDevice);
    cudaFree(y);
    cudaFree(sum);
  }
  cudaFree(x);
  return total;
}

// Objects that nobody here looks into: copies, and a kernel's work on them.
__global__ void turn(double2 *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = make_double2(x[i].x * x[i].y, x[i].y - x[i].x);
}
void copied_objects(double2 *out, const double2 *in, int n) {
  double2 *x;
  cudaMalloc(&x, n * sizeof(double2));
  cudaMemcpy(x, in, n * sizeof(double2), cudaMemcpyHostToDevice);
  turn<<<blocks(n), 32>>>(x, n);
  cudaMemcpy(out, x + n / 2, (n - n / 2) * sizeof(double2), cudaMemcpyDeviceToHost);
  cudaFree(x);
}

// A number of an object: in memory, in a variable of the device's by its place in bytes, in a local one.
struct Pair {
  double a, b;
};
__constant__ Pair given[2];
__global__ void multiplied(Pair *p, double *x) {
  int i = threadIdx.x;
  x[i] *= p[i].a * p[i].b + given[i % 2].a;
  p[i].b *= given[0].b;
}
void numbers_of_objects(double *x, int i) {
  Pair *p;
  cudaMalloc(&p, 4 * sizeof(Pair));
  cudaMemcpy(p, x, 4 * sizeof(Pair), cudaMemcpyDefault);
  double a = x[0] * x[1], b;
  cudaMemcpy(p, &a, sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(given, x, 2 * sizeof(Pair));
  cudaMemcpyToSymbol(given, &a, sizeof(double), sizeof(double));
  cudaMemcpyToSymbol(given, x + 2, sizeof(Pair), (i - 1) * sizeof(Pair) + sizeof(Pair));
  multiplied<<<1, 4>>>(p, x);
  cudaMemcpy(&b, p + 1, sizeof b, cudaMemcpyDefault);
  cudaMemcpyToSymbol(given, &b, sizeof b);
  Pair one = {b, a};
  memcpy(&b, &one.b, sizeof b);
  a *= b;
  memcpy(&one, &a, sizeof a);
  cudaMemcpy(p, &one, sizeof one, cudaMemcpyDefault);
  multiplied<<<1, 4>>>(p, x);
  cudaFree(p);
}

// Variables of the host, to and from each other, memory and objects.
__global__ void squared_by(double *x, int n, double f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i] * f;
}
double variables_copied(double *x) {
  double a = x[0], b = 2, c;
  float f = x[1];
  memcpy(&c, &a, sizeof a);
  a *= 2;
  memcpy(&b, x + 1, sizeof b);
  memset(&c, 0, sizeof c);
  c += a * b;
  memcpy(x + 2, &c, sizeof c);
  memset(&f, 0, sizeof f);
  double *d;
  cudaMalloc(&d, 4 * sizeof(double));
  cudaMemcpy(d, x, 4 * sizeof(double), cudaMemcpyDefault);
  squared_by<<<1, 4>>>(d, 4, f + a);
  cudaMemcpy(&c, d + 2, sizeof c, cudaMemcpyDefault);
  cudaFree(d);
  return c * a * b;
}

// A kernel is given arrays of numbers, objects and pointers in an object.
struct Given {
  double *p;
  double w[3];
  Pair q;
  double *r[2];
  int n;
};
__global__ void use_given(Given g) {
  int i = threadIdx.x;
  if (i < g.n) g.p[i] = g.p[i] * g.w[i % 3] + g.q.a * g.r[1][i] * g.r[0][i];
}
double arrays_given(double *x, int n) {
  double *d, *e;
  cudaMalloc(&d, n * sizeof(double));
  cudaMalloc(&e, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyDefault);
  cudaMemcpy(e, x, n * sizeof(double), cudaMemcpyDefault);
  squared_by<<<1, 32>>>(e, n, x[1]);
  Given g = {d, {x[0], x[1], 2}, {x[2], 1}, {e, d}, n};
  use_given<<<1, 32>>>(g);
  g.w[1] *= x[3];
  g.r[0] = d;
  use_given<<<1, 32>>>(g);
  double s = 0;
  for (int t = 0; t < 2; ++t) {
    double h[8] = {};
    if (t == 1) {
      double first[2] = {1};
      cudaMemcpy(first, d, sizeof(double), cudaMemcpyDefault);
      s += first[0] * (1 + first[1]);
    }
    cudaMemcpy(h, d, n * sizeof(double), cudaMemcpyDefault);
    for (int i = 0; i < n; ++i) s += h[i] * h[7 - i] * (i + 1);
    squared_by<<<1, 32>>>(d, n, s);
  }
  cudaFree(d);
  cudaFree(e);
  return s;
}

// Of each row the first half is replaced by what has no derivative.
__global__ void squared_twice(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i] * x[i];
}
double half_rows(const double *x, const double *w, int rows) {
  double *d, host[64], sum = 0;
  cudaMalloc(&d, 4 * rows * sizeof(double));
  cudaMemcpy(d, x, 4 * rows * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy2D(d, 4 * sizeof(double), w, 2 * sizeof(double), 2 * sizeof(double), rows, cudaMemcpyHostToDevice);
  squared_twice<<<2, 32>>>(d, 4 * rows);
  cudaMemcpy(host, d, 4 * rows * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4 * rows; ++i) sum += host[i] * (i + 1);
  cudaFree(d);
  return sum;
}

template <class T, int n> __constant__ T of_instance[n];
template <class T> __global__ void weighted(T *y, const T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * of_instance<T, 3>[i % 3];
}
void instances_filled(double *out, const double *taps, const double *in, int n) {
  double *x, *y;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(of_instance<double, 3>, taps, 3 * sizeof(double));
  weighted<double><<<1, 32>>>(y, x, n);
  cudaMemcpy(out, y, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
}
