// Layers as extensions of frameworks have them, and calls of every kind.
#include <cuda_fp16.h>
#include <math.h>

__global__ void layer_norm(const double *x, const double *weight, const double *bias, double *y, int n, double eps) {
  extern __shared__ double parts[];
  const double *row = x + blockIdx.x * n;
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += row[i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) parts[threadIdx.x] += parts[threadIdx.x + k];
    __syncthreads();
  }
  double mean = parts[0] / n;
  __syncthreads();
  double squares = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) squares += (row[i] - mean) * (row[i] - mean);
  parts[threadIdx.x] = squares;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) parts[threadIdx.x] += parts[threadIdx.x + k];
    __syncthreads();
  }
  double scale = rsqrt(parts[0] / n + eps);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[blockIdx.x * n + i] = (row[i] - mean) * scale * weight[i] + (bias ? bias[i] : 0.0);
}

__global__ void softmax(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float largest = -INFINITY, sum = 0.0f;
  for (int i = 0; i < n; ++i) largest = fmaxf(largest, x[row * n + i]);
  for (int i = 0; i < n; ++i) sum += expf(x[row * n + i] - largest);
  for (int i = 0; i < n; ++i) y[row * n + i] = expf(x[row * n + i] - largest) / sum;
}

__global__ void gelu(const __half *x, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2half(0.5f * __half2float(x[i]) * (1.0f + erff(__half2float(x[i]) * 0.70710678f)));
}

// A number that is differentiated, an argument that is overwritten, a table of indices, two results.
__global__ void mixed(double a, double *x, const long long *table, double *y, double *z, int *signs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = a * x[table[i]] * x[table[i]];
  z[i] += sin(x[table[i]]) + a;
  signs[i] = x[table[i]] > 0 ? 1 : -1;
}
__global__ void in_place(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i] * x[i];
}

void program(const double *x, double *y, int n) {
  double *cubes;
  cudaMalloc(&cubes, n * sizeof(double));
  cudaMemcpy(cubes, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
  in_place<<<(n + 31) / 32, 32>>>(cubes, n);
  in_place<<<(n + 31) / 32, 32>>>(cubes, n);
  cudaMemcpy(y, cubes, n * sizeof(double), cudaMemcpyDeviceToDevice);
  cudaFree(cubes);
}
double misfit(const double *x, const double *wanted, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (x[i] - wanted[i]) * (x[i] - wanted[i]) * x[i];
  return sum;
}
__global__ void shifted(const double *x, const double *by, const double *scale, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * scale[i] + by[i];
}
__global__ void complex_square(const double2 *x, double2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = make_double2(x[i].x * x[i].x - x[i].y * x[i].y, 2 * x[i].x * x[i].y);
}
__global__ void by_scratch(const double *x, double *scratch, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  scratch[i] = x[i] * x[i];
  y[i] = scratch[i] * scratch[i];
}
