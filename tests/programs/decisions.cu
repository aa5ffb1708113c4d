// Host code that decides: loops that end when a residual is small, branches on what was copied back, early returns.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdlib>

__global__ void jacobi(double *next, const double *now, const double *b, double *change, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double left = i > 0 ? now[i - 1] : 0.0, right = i < n - 1 ? now[i + 1] : 0.0;
  double x = (b[i] + left + right) / 3.0;
  next[i] = x;
  change[i] = fabs(x - now[i]);
}

// Until the largest change is below the tolerance.
int solve(double *x, const double *b, int n, double tolerance) {
  double *now, *next, *rhs, *change, *host = (double *)malloc(n * sizeof(double));
  cudaMalloc(&now, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMalloc(&rhs, n * sizeof(double));
  cudaMalloc(&change, n * sizeof(double));
  cudaMemcpy(now, x, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(rhs, b, n * sizeof(double), cudaMemcpyHostToDevice);
  double error = 1e30;
  int iterations = 0;
  while (error > tolerance && iterations < 1000) {
    jacobi<<<(n + 31) / 32, 32>>>(next, now, rhs, change, n);
    cudaMemcpy(host, change, n * sizeof(double), cudaMemcpyDeviceToHost);
    error = 0;
    for (int i = 0; i < n; ++i) error = host[i] > error ? host[i] : error;
    double *tmp = now;
    now = next;
    next = tmp;
    ++iterations;
  }
  cudaMemcpy(x, now, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
  cudaFree(rhs);
  cudaFree(change);
  free(host);
  return iterations;
}

__global__ void grow(double *x, double factor, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] *= factor;
}
__global__ void cut(double *x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] = x[i] / (1 + x[i]);
}

// Which kernel runs depends on what the one before has given.
double adaptive(const double *in, double factor, int n, int steps) {
  double *x, first;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    cudaMemcpy(&first, x, sizeof(double), cudaMemcpyDeviceToHost);
    if (first < 1.0) {
      grow<<<1, n>>>(x, factor * (1 + first), n);
    } else if (first > 4.0) {
      break;
    } else {
      cut<<<1, n>>>(x, n);
      if (t % 3 == 2) continue;
      grow<<<1, n>>>(x, factor, n);
    }
  }
  double sum = 0, one;
  for (int i = 0; i < n; ++i) {
    cudaMemcpy(&one, x + i, sizeof one, cudaMemcpyDeviceToHost);
    sum += one;
  }
  cudaFree(x);
  return sum;
}

// Errors are looked at, and the function returns early.
double careful(const double *in, int n) {
  double *x = nullptr;
  if (n <= 0) return 0.0;
  cudaError_t error = cudaMalloc(&x, n * sizeof(double));
  if (error != cudaSuccess) return -1.0;
  if (cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice) != cudaSuccess) {
    cudaFree(x);
    return -2.0;
  }
  grow<<<1, 32>>>(x, in[0], n);
  error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    cudaFree(x);
    return -3.0;
  }
  double last = 0;
  error = cudaMemcpy(&last, &x[n - 1], sizeof last, cudaMemcpyDeviceToHost);
  cudaFree(x);
  return error == cudaSuccess ? last * last : -4.0;
}

// Bisection on the host for a number that a kernel is evaluated with; the root is what counts.
__global__ void residuals(double *out, const double *a, double x, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = a[i] * x * x * x + x - 1;
}
double root(const double *a, int n) {
  double *coefficients, *out, host[32], x = 0.5;
  cudaMalloc(&coefficients, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemcpy(coefficients, a, n * sizeof(double), cudaMemcpyHostToDevice);
  double f = 1;
  for (int k = 0; k < 50 && fabs(f) > 1e-13; ++k) {
    residuals<<<1, 32>>>(out, coefficients, x, n);
    cudaMemcpy(host, out, n * sizeof(double), cudaMemcpyDeviceToHost);
    f = 0;
    double slope = 0;
    for (int i = 0; i < n; ++i) {
      f += host[i];
      slope += 3 * a[i] * x * x + 1;
    }
    x -= f / slope;
  }
  cudaFree(coefficients);
  cudaFree(out);
  return x;
}

// A choice by an argument, and a switch over a mode.
double by_mode(const double *in, double factor, int n, int mode) {
  double *x, last = 0;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  switch (mode) {
  case 0:
    grow<<<1, n>>>(x, factor, n);
    break;
  case 1:
    cut<<<1, n>>>(x, n);
    // and then as for 2
  case 2:
    cut<<<1, n>>>(x, n);
    break;
  default:
    grow<<<1, n>>>(x, factor * factor, n);
    cut<<<1, n>>>(x, n);
  }
  do {
    --n;
    double one;
    cudaMemcpy(&one, x + n, sizeof one, cudaMemcpyDeviceToHost);
    last = last * 0.5 + one * one;
  } while (n > 0);
  cudaFree(x);
  return last;
}
