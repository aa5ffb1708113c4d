// Sums and extrema that loops make in elements of shared memory: they are carried by the loop.

// Each line of a block's threads has a row; one column of it is left out, and threads may have no other.
__global__ void margins(double *y, const double *x, const int *label, int rows, int columns) {
  extern __shared__ double lines[];
  double *own = lines + (blockDim.x + 2) * threadIdx.y;
  const int t = threadIdx.x;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += gridDim.x * blockDim.y) {
    const double *in = x + row * columns;
    own[t] = -1e30;
    __syncthreads();
    for (int c = t; c < columns; c += blockDim.x) {
      if (c == label[row]) continue;
      if (in[c] > own[t]) own[t] = in[c];
    }
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
      if (t < s && own[t] < own[t + s]) own[t] = own[t + s];
      __syncthreads();
    }
    if (t == 0) own[blockDim.x] = own[0];
    __syncthreads();
    own[t] = 0.0;
    __syncthreads();
    for (int c = t; c < columns; c += blockDim.x) {
      if (c == label[row]) continue;
      own[t] += exp(in[c] - own[blockDim.x]);
    }
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
      if (t < s) own[t] += own[t + s];
      __syncthreads();
    }
    if (t == 0) y[row] = log(own[0]) + own[blockDim.x] - in[label[row]];
    __syncthreads();
  }
}

// Two elements of a thread in one loop, of which one is scaled by what the other was; and a loop in a loop.
__global__ void two_of_each(double *y, const double *x, int n, int turns) {
  __shared__ double held[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  held[t] = x[i];
  held[t + blockDim.x] = 1.0;
  for (int k = 0; k < turns; k++) {
    held[t] += 0.1 * held[t + blockDim.x] * x[(i + k) % n];
    for (int j = 0; j < k; j++) held[t + blockDim.x] *= 1.0 + 0.01 * sin(held[t]);
  }
  __syncthreads();
  y[i] = held[blockDim.x - 1 - t] * held[t + blockDim.x];
}

// One thread sums into an element that others read later; some blocks have nothing to add.
__global__ void by_the_first(double *y, const double *x, int n) {
  __shared__ double sums[2];
  if (threadIdx.x < 2) sums[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = blockIdx.x; k * 20 < n; k++) sums[1] = sums[1] * sums[1] + sums[0] * x[k];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = sums[1] * x[threadIdx.x];
}

// What the loop stores it may load by another index: it is left where it is.
__global__ void not_alone(double *y, const double *x, int turns) {
  __shared__ double held[32];
  const int t = threadIdx.x;
  held[t] = x[t];
  __syncthreads();
  if (t == 0)
    for (int k = 0; k < turns; k++) held[t] += held[k] * x[k];
  __syncthreads();
  y[t] = held[0] * held[t];
}
