// Iterations whose scalars live on the host: conjugate gradients, descent, power iteration.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdlib>

__global__ void apply(double *y, const double *x, const double *diagonal, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < n ? x[i + 1] : 0.0;
  y[i] = (2 + diagonal[i]) * x[i] - left - right;
}
__global__ void axpy(double *y, double a, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void xpay(double *y, const double *x, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + a * y[i];
}
__global__ void dot_kernel(double *result, const double *x, const double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(result, x[i] * y[i]);
}

static double dot(double *scratch, const double *x, const double *y, int n) {
  double result;
  cudaMemset(scratch, 0, sizeof(double));
  dot_kernel<<<(n + 31) / 32, 32>>>(scratch, x, y, n);
  cudaMemcpy(&result, scratch, sizeof(double), cudaMemcpyDeviceToHost);
  return result;
}

// Solves (T + diag) x = b for a fixed number of iterations, or until the residual is small.
void conjugate_gradients(double *x, const double *b, const double *diagonal, int n, int iterations) {
  double *d_x, *r, *p, *q, *d_diagonal, *scratch;
  size_t bytes = n * sizeof(double);
  int blocks = (n + 31) / 32;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&r, bytes);
  cudaMalloc(&p, bytes);
  cudaMalloc(&q, bytes);
  cudaMalloc(&d_diagonal, bytes);
  cudaMalloc(&scratch, sizeof(double));
  cudaMemset(d_x, 0, bytes);
  cudaMemcpy(r, b, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(p, r, bytes, cudaMemcpyDeviceToDevice);
  cudaMemcpy(d_diagonal, diagonal, bytes, cudaMemcpyHostToDevice);
  double rr = dot(scratch, r, r, n);
  for (int k = 0; k < iterations && rr > 1e-20; ++k) {
    apply<<<blocks, 32>>>(q, p, d_diagonal, n);
    double alpha = rr / dot(scratch, p, q, n);
    axpy<<<blocks, 32>>>(d_x, alpha, p, n);
    axpy<<<blocks, 32>>>(r, -alpha, q, n);
    double next = dot(scratch, r, r, n);
    xpay<<<blocks, 32>>>(p, r, next / rr, n);
    rr = next;
  }
  cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(r);
  cudaFree(p);
  cudaFree(q);
  cudaFree(d_diagonal);
  cudaFree(scratch);
}

// Descent inside: how the fit depends on the data and on the rate.
__global__ void errors(double *e, const double *t, const double *y, double a, double b, int n) {
  int i = threadIdx.x;
  if (i < n) e[i] = a * exp(-b * t[i]) - y[i];
}
double descent(const double *t, const double *y, double rate, int n, int steps) {
  double *d_t, *d_y, *d_e, *e = (double *)malloc(n * sizeof(double));
  cudaMalloc(&d_t, n * sizeof(double));
  cudaMalloc(&d_y, n * sizeof(double));
  cudaMalloc(&d_e, n * sizeof(double));
  cudaMemcpy(d_t, t, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y, n * sizeof(double), cudaMemcpyHostToDevice);
  double a = 1, b = 0.5;
  for (int k = 0; k < steps; ++k) {
    errors<<<1, 32>>>(d_e, d_t, d_y, a, b, n);
    cudaMemcpy(e, d_e, n * sizeof(double), cudaMemcpyDeviceToHost);
    double along_a = 0, along_b = 0;
    for (int i = 0; i < n; ++i) {
      along_a += e[i] * exp(-b * t[i]);
      along_b -= e[i] * a * t[i] * exp(-b * t[i]);
    }
    a -= rate * along_a;
    b -= rate * along_b;
  }
  cudaFree(d_t);
  cudaFree(d_y);
  cudaFree(d_e);
  free(e);
  return a * b;
}

// The largest eigenvalue by repeated products, normalised by the host.
__global__ void multiply(double *y, const double *m, const double *x, double scale, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < n; ++j) sum += m[i * n + j] * x[j] * scale;
  y[i] = sum;
}
double power_iteration(const double *m, int n, int steps) {
  double *d_m, *x, *y, *scratch, ones[16];
  for (int i = 0; i < n; ++i) ones[i] = 1;
  cudaMalloc(&d_m, n * n * sizeof(double));
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaMalloc(&scratch, sizeof(double));
  cudaMemcpy(d_m, m, n * n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(x, ones, n * sizeof(double), cudaMemcpyHostToDevice);
  double norm = sqrt(double(n));
  for (int k = 0; k < steps; ++k) {
    multiply<<<1, 16>>>(y, d_m, x, 1 / norm, n);
    norm = sqrt(dot(scratch, y, y, n));
    cudaMemcpy(x, y, n * sizeof(double), cudaMemcpyDeviceToDevice);
  }
  cudaFree(d_m);
  cudaFree(x);
  cudaFree(y);
  cudaFree(scratch);
  return norm;
}
