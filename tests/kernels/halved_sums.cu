// Sums that a block makes by halves, in all the ways that they are written.
#include <cuda_fp16.h>

__global__ void of_squares(const double *x, double *y) {
  extern __shared__ double s[];
  const unsigned int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned int o = blockDim.x / 2; o > 0; o >>= 1) {
    if (t < o) s[t] += s[t + o];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0] * s[0];
}

// The barrier comes first, and all threads read what comes of it.
__global__ void mean_of_all(const float *x, float *y, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += x[i] * x[i];
  s[t] = v;
  for (int o = blockDim.x >> 1; o; o /= 2) {
    __syncthreads();
    if (t < o) s[t] = s[t] + s[t + o];
  }
  __syncthreads();
  const float mean = s[0] / n;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * mean;
}

// Two sums at once, from a constant that may be more than there are threads.
__global__ void two_sums(const double *x, double *y) {
  __shared__ double s[128], q[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int k = t; k < 128; k += blockDim.x) {
    s[k] = x[(i + k) % 60];
    q[k] = x[(i + k) % 60] * x[(i + 2 * k) % 60];
  }
  __syncthreads();
  for (int o = 64; o > 0; o >>= 1) {
    if (t < o) {
      s[t] += s[t + o];
      q[t] += q[t + o];
    }
    __syncthreads();
  }
  y[i] = (x[i % 60] - s[0]) / (3.0 + q[0] * q[0]);
}

// What is left in the other elements counts as well.
__global__ void parts_too(const double *x, double *y) {
  __shared__ double s[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  if (t + blockDim.x < 128) s[t + blockDim.x] = x[i] * x[i];
  __syncthreads();
  for (int o = blockDim.x; o > 0; o /= 2) {
    if (t < o) s[t] += s[t + o];
    __syncthreads();
  }
  y[i] = s[t] * s[(3 * t + 1) % blockDim.x] + 0.1 * s[t + blockDim.x];
}

// Sums of several rows by the same memory, one after the other.
__global__ void of_rows(const double *x, double *y, int rows) {
  extern __shared__ double s[];
  const int t = threadIdx.x;
  double total = 1.0;
  for (int row = 0; row < rows; ++row) {
    s[t] = x[(blockIdx.x * rows + row) * blockDim.x + t] * total;
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o >>= 1) {
      if (t < o) s[t] += s[t + o];
      __syncthreads();
    }
    total = sin(s[0] + s[1]);
    __syncthreads();
  }
  y[blockIdx.x * blockDim.x + t] = total * s[t];
}

// Threads that are not numbered from zero, and a number that is not halved to the end: no sums of this kind.
__global__ void other_loops(const double *x, double *y) {
  __shared__ double s[160], q[160];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, turned = blockDim.x - 1 - t;
  s[t] = x[i];
  q[t] = x[i] * x[i];
  s[t + blockDim.x] = q[t + blockDim.x] = x[i] * 0.5;
  __syncthreads();
  for (int o = blockDim.x; o > 0; o >>= 1) {
    if (turned < o) s[turned] += s[turned + o];
    __syncthreads();
  }
  for (int o = blockDim.x; o > 2; o >>= 1) {
    if (t < o) q[t] += q[t + o];
    __syncthreads();
  }
  y[i] = s[0] * q[0] + q[1] * q[t];
}

// More than half of the number goes to the sum, or only it; halves, and memory that is not the block's own.
__global__ void other_steps(const double *x, double *own, __half *narrow, double *y) {
  __shared__ double s[128], last[128];
  __shared__ __half h[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double *global = own + blockIdx.x * blockDim.x;
  s[t] = x[i];
  last[t] = x[i] * x[i];
  h[t] = narrow[i];
  __syncthreads();
  for (int o = blockDim.x / 2; o > 0; o >>= 1) {
    if (t < o) s[t] += 2.0 * s[t + o];
    __syncthreads();
  }
  for (int o = blockDim.x / 2; o > 0; o >>= 1) {
    if (t < o) last[t] = last[t + o];
    __syncthreads();
  }
  for (int o = blockDim.x / 2; o > 0; o >>= 1) {
    if (t < o) h[t] = __hadd(h[t], h[t + o]);
    __syncthreads();
  }
  for (int o = blockDim.x / 2; o > 0; o >>= 1) {
    if (t < o) global[t] += global[t + o];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0] * last[0] * (double)__half2float(h[0]) * global[0];
}

// Numbers of threads and steps in types of their own, and rows one after the other, which leave nothing to the next.
template <class Thread, class Step>
__global__ void converted(const double *x, double *y, int rows) {
  __shared__ double s[64];
  const Thread t = threadIdx.x;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    s[threadIdx.x] = x[row * blockDim.x + t];
    __syncthreads();
    for (Step o = blockDim.x / 2; o > 0; o >>= 1) {
      if (t < o) s[t] += s[threadIdx.x + o];
      __syncthreads();
    }
    const double total = s[0];
    __syncthreads();
    y[row * blockDim.x + t] = x[row * blockDim.x + t] / (2.0 + total * total);
  }
}
