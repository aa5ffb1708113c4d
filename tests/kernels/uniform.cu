// Elements that all threads add to: in several places, in loops, under conditions, where the array may end before.
__global__ void shared_weights(const double *x, const double *w, double *y, double scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i] * w[0];
  for (int k = 0; k < 4; ++k) s = sin(s * w[1]) + scale * w[k];
  if (s > 0.5) s *= w[2] + w[0];
  y[i] = s;
}

__global__ void guarded_weight(const double *x, const double *w, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i];
  if (m > 0) y[i] = x[i] * w[m - 1];
}

// The adjoint of w[0] is asked for within the kernel.
__global__ void overwritten_weight(const double *x, double *w, double *y) {
  if (threadIdx.x + blockIdx.x > 0) return;
  y[0] = x[0] * w[1];
  w[1] = x[0] * x[0];
}

__global__ void weights_of_two_types(const double *x, const float *v, const double *w, double *y, float b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * v[0] + w[3] * b * x[i] * x[i];
}

// Each thread has an element of its own, and all read two of these.
__global__ void read_by_all(const double *x, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[0] * x[i];
  if (x[i] > 0.3) y[i] += sin(x[m]) * x[i];
}

// Blocks meet in shared memory, and add to one element in the end.
__global__ void read_by_all_blocks(const double *x, const double *w, double *y, int n) {
  __shared__ double s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] * w[0] : 0.0;
  __syncthreads();
  if (i < n) y[i] = s[blockDim.x - 1 - t] * s[t] * w[blockIdx.x % 2];
}

// Rows are read by several loops, and written by the last; what all rows are multiplied with is shared by the blocks.
__global__ void scaled_rows(const double *x, const double *w, double *y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 4, lane = threadIdx.x % 4;
  if (row >= rows) return;
  double sum = 0.0;
  for (int c = lane; c < columns; c += 4) sum += x[row * columns + c];
  double squares = 0.0;
  for (int c = lane; c < columns; c += 4) squares += (x[row * columns + c] - sum) * x[row * columns + c];
  for (int c = lane; c < columns; c += 4) y[row * columns + c] = x[row * columns + c] * squares * w[c];
}

// Loops that run equally often, over other elements than the one that stores.
__global__ void overlapping_rows(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0;
  for (int c = 0; c < 4; ++c) sum += x[i + c];
  for (int c = 0; c < 4; ++c) y[4 * i + c] = x[4 * i + c] * sum * sum;
}
