// Rows that the threads of a block share: extrema and sums of what the threads tell each other, in loops over shared memory
// that is overwritten later.

// Every thread looks for the largest of what all warps found.
__device__ double largest_of_all(double mine, double *parts) {
  parts[threadIdx.x] = mine;
  __syncthreads();
  double most = parts[0];
  for (int k = 1; k < blockDim.x; k++) most = fmax(most, parts[k]);
  __syncthreads();
  return most;
}

__device__ double sum_of_all(double mine, double *parts) {
  parts[threadIdx.x] = mine;
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < blockDim.x; k++) sum += parts[k];
  __syncthreads();
  return sum;
}

__global__ void soft_rows(double *y, const double *x, int columns) {
  __shared__ double parts[128];
  const double *in = x + blockIdx.x * columns;
  double most = -1e30;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) most = fmax(most, in[c]);
  most = largest_of_all(most, parts);
  double sum = 0.0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += exp(in[c] - most);
  sum = sum_of_all(sum, parts);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) y[blockIdx.x * columns + c] = exp(in[c] - most) / sum;
}

// What is looked for is made of two loads, both of memory that is overwritten, and of one that is not.
__global__ void largest_product(double *y, const double *x, const double *w, int n) {
  __shared__ double parts[128], others[128];
  parts[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  others[threadIdx.x] = parts[threadIdx.x] * parts[threadIdx.x];
  __syncthreads();
  double least = 1e30;
  for (int k = 0; k < n; k++) least = fmin(least, parts[k] * w[k] + others[k]);
  __syncthreads();
  parts[threadIdx.x] = least * parts[threadIdx.x];
  others[threadIdx.x] = 2.0 * least;
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = parts[blockDim.x - 1 - threadIdx.x] * others[0];
}

// The extremum of each turn of a loop, of memory that every turn overwrites.
__global__ void in_turns(double *y, const double *x, int turns) {
  __shared__ double parts[128];
  double total = 0.0;
  for (int t = 0; t < turns; t++) {
    parts[threadIdx.x] = x[t * blockDim.x + threadIdx.x] + total;
    __syncthreads();
    double most = parts[0];
    for (int k = 1; k < blockDim.x; k++) most = fmax(most, parts[k]);
    total += most * most;
    __syncthreads();
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

// One sum for all elements, beside a sum of which every turn has another, and one that depends on the thread.
__global__ void three_sums(double *y, const double *x, const double *w, int n) {
  __shared__ double parts[128], others[128], own[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  parts[threadIdx.x] = x[i];
  others[threadIdx.x] = x[i] * x[i];
  own[threadIdx.x] = sin(x[i]);
  __syncthreads();
  double a = 0.0, b = 0.0, c = 0.0;
  for (int k = 0; k < blockDim.x; k++) {
    a += parts[k];
    b += others[k] * w[k % n];
    c += own[(k + threadIdx.x) % blockDim.x] * (k + 1);
  }
  __syncthreads();
  y[i] = a * b + c * x[i];
}

// Every other element is given something, and so are those from the end; some threads add nothing.
__global__ void every_other(double *y, const double *x, int n) {
  __shared__ double parts[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  parts[threadIdx.x] = threadIdx.x % 3 == 1 ? 2.0 * x[i] : x[i] * x[i];
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < blockDim.x / 2; k++) sum += parts[2 * k];
  for (int k = 0; k < blockDim.x; k++) sum += parts[blockDim.x - 1 - k];
  if (threadIdx.x % 2 == 0) y[i] = sum * x[i];
}

// The same for blocks of two dimensions: the threads of a row tell each other.
__global__ void of_planes(double *y, const double *x) {
  __shared__ double parts[8][16], all[8];
  const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  parts[threadIdx.y][threadIdx.x] = x[i];
  if (threadIdx.x == 0) all[threadIdx.y] = x[i] * x[i];
  __syncthreads();
  double most = -1e30, sum = 0.0, whole = 0.0;
  for (int k = 0; k < blockDim.x; k++) most = fmax(most, parts[threadIdx.y][k]);
  for (int k = 0; k < blockDim.x; k++) sum += parts[threadIdx.y][k];
  for (int k = 0; k < blockDim.y; k++) whole += all[k];
  __syncthreads();
  parts[threadIdx.y][threadIdx.x] = most * sum;
  __syncthreads();
  y[i] = parts[threadIdx.y][blockDim.x - 1 - threadIdx.x] * x[i] + whole * most;
}

// Rows of warps, each with the same weights: a lane comes to every 32nd.
__global__ void weighted_rows(float *y, const float *x, const float *w, const float *b, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  for (int c = lane; c < columns; c += 32) y[row * columns + c] = x[row * columns + c] * w[c] + b[c] * b[c];
}

// The same of rows of blocks, from the end; some are left out.
__global__ void weighted_from_end(double *y, const double *x, const double *w, int columns) {
  for (int k = 0; k * blockDim.x + threadIdx.x < columns; k++) {
    const int c = k * blockDim.x + threadIdx.x;
    if (c % 5 != 1) y[blockIdx.x * columns + c] = x[blockIdx.x * columns + c] * w[c & 31] + w[threadIdx.x];
  }
}

// Weights that lanes come to beside their own, before the first and behind the last, and one that all of them use.
__global__ void weighted_around(double *y, const double *x, const double *w, const double *v, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const double *own = w + 1;
  for (int c = lane; c < columns; c += 32)
    y[row * columns + c] = x[row * columns + c] * (own[c] + own[c - 1]) + v[c] * v[c / 32] + own[c + 1];
}
