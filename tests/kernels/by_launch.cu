// Barriers in branches and loops of which only the launch knows that all threads of a block decide alike.

// Elements strided by threadIdx.z.
__global__ void strided(const double *x, double *y, int n) {
  __shared__ double s[4][8];
  double *mine = s[threadIdx.z];
  for (int e = blockIdx.x * blockDim.z + threadIdx.z; e < n; e += gridDim.x * blockDim.z) {
    mine[threadIdx.x] = x[e * 8 + threadIdx.x];
    __syncthreads();
    y[e * 8 + threadIdx.x] = mine[threadIdx.x] * mine[7 - threadIdx.x];
    __syncthreads();
  }
}

// An arm each, with what both have assigned and one has declared; the condition is of memory.
__global__ void arms(const double *x, const int *kinds, double *y, int n) {
  __shared__ double s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double v = x[i];
  if (kinds[i] > n) {
    double w = v * v;
    s[t] = w;
    __syncthreads();
    v *= s[31 - t] + w;
  } else if (kinds[i] == n) {
    s[t] = sin(v);
    __syncthreads();
    if (t == 3) return;
    v += s[(t + 1) % 32] * v;
  } else {
    v *= 3.0;
  }
  y[i] = v * v;
}

__device__ double total(const double &v, double *s, int count) {
  s[threadIdx.x] = v * v;
  __syncthreads();
  if (count <= 0) return 0.5 * v;
  double sum = 0.0;
  for (int k = 0; k < count; ++k) sum += s[k];
  __syncthreads();
  return sum;
}

__device__ void publish(double v, double *s) {
  s[threadIdx.x] = v;
  __syncthreads();
}

// Functions with barriers, and early `continue` and `break`.
__global__ void called(const double *x, double *y, int rows) {
  __shared__ double s[32];
  int t = threadIdx.x;
  double kept = 1.0;
  for (int row = threadIdx.y; row < rows; row += blockDim.y) {
    double v = x[row * 32 + t];
    if (row == 2) continue;
    double sum = 0.25 * total(v * kept, s, row == 1 ? 0 : 32) + v;
    publish(sum, s);
    kept = 0.5 * s[(t + 5) % 32];
    __syncthreads();
    y[row * 32 + t] = kept * v;
    if (row == 5) break;
  }
  y[t] += kept;
}

// The condition comes last; another loop stands in it.
__global__ void last(const double *x, double *y, const int *times) {
  __shared__ double s[32];
  int t = threadIdx.x, c = 0;
  double v = x[t];
  do {
    s[t] = v;
    __syncthreads();
    if (c % 2 == 0)
      for (int k = t; k < times[t] + t; ++k) {
        v = 0.5 * v + s[(t + k) % 32] * v;
        __syncthreads();
        s[t] = v;
        __syncthreads();
      }
    v += 0.1 * s[31 - t];
    __syncthreads();
  } while (c++ < times[t]);
  y[t] = v;
}

__device__ double neighbour(double v, double *s) {
  s[threadIdx.x] = v;
  __syncthreads();
  return s[(threadIdx.x + 1) % blockDim.x];
}

// A function with a barrier in an expression, for threads that are left.
__global__ void after_return(const double *x, double *y, int n) {
  __shared__ double s[32];
  int i = threadIdx.x;
  s[i] = 0.7;
  __syncthreads();
  if (i >= n) return;
  y[i] = x[i] * neighbour(x[i], s);
}
