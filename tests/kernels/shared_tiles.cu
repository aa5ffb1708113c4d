// Tiles of which all threads read all elements, and what keeps threads from dividing their adjoints among themselves.
#include <cuda_fp16.h>

#define I (blockIdx.x * blockDim.x + threadIdx.x)

__device__ double weight(int i, int j) { return j <= 0 ? 1.0 + 0.1 * i : 0.9 * weight(i, j - 1); }

// What a turn adds is made of what is loaded in it, or what a function gives; its place is found in memory.
__global__ void known_to_one(const double *x, const int *at, const __half *scale, double *y) {
  __shared__ double tile[64], own[64];
  __shared__ int places[64];
  const int i = I;
  tile[threadIdx.x] = x[i];
  places[threadIdx.x] = at[threadIdx.x];
  const __half half = scale[i];
  const int whole = at[i];
  double sum = 0;
  __syncthreads();
  for (int j = 0; j < blockDim.x; j++) sum += tile[at[j]] * i;
  __syncthreads();
  for (int j = 0; j < blockDim.x; j++) sum += sin(tile[places[j]]) * i;
  __syncthreads();
  for (int j = 0; j < blockDim.x; j++) sum += sin(tile[j]) * weight(i, j % 5);
  __syncthreads();
  for (int j = 0; j < blockDim.x; j++) sum += sin(tile[j]) * (double)__half2float(half);
  __syncthreads();
  for (int j = 0; j < blockDim.x; j++) sum += cos(tile[j]) * whole;
  __syncthreads();
  for (int j = 0; j < blockDim.x; j++) {
    own[threadIdx.x] = tile[j] * x[i];
    sum += sin(own[threadIdx.x]) * i;
  }
  __syncthreads();
  y[i] = sum;
}

// A turn changes what it has begun with; after it there is more to tell than shared memory has room for.
__global__ void much_to_tell(const double *x, const double *p, double *y, int n) {
  __shared__ double tile[64];
  const int i = I;
  tile[threadIdx.x] = x[i];
  const double a = 0.1 * p[i], b = p[i + n], c = p[i + 2 * n], d = p[i + 3 * n], e = p[i + 4 * n];
  double sum = 0;
  __syncthreads();
  for (int j = 0; j < blockDim.x; j++) {
    const double v = tile[j] * a + tile[(j + 1) % 64];
    sum += v * v * v + sin(v);
  }
  __syncthreads();
  for (int j = 0; j < blockDim.x; j++) sum += sin(tile[j] * a) * b + cos(tile[j] * c) * d * e;
  __syncthreads();
  y[i] = sum;
}

// Once round the warp, with a product alone for which a guard is not tested twice.
__global__ void one_guard(const double *x, double *y) {
  __shared__ double tile[64];
  const int i = I;
  tile[threadIdx.x] = x[i];
  const double mine = x[i];
  double sum = 0;
  __syncthreads();
  for (int j = 0; j < blockDim.x; j++) sum += tile[j] * mine;
  __syncthreads();
  y[i] = sum;
}

// Added to where it has been written: no iteration reads what one before it left.
__global__ void rewritten(const double *x, double *y, int n) {
  __shared__ double tile[64];
  const int i = I;
  double sum = 0;
  for (int k = 0; k < n; k++) {
    tile[threadIdx.x] = x[k] * x[i];
    atomicAdd(&tile[threadIdx.x], x[i] * x[k + 1]);
    __syncthreads();
    sum += tile[threadIdx.x] * tile[63 - threadIdx.x];
    __syncthreads();
  }
  y[i] = sum;
}
