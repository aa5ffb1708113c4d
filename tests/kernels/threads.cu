// Launches in one to three dimensions, scalars as independents, atomics.
__global__ void scalar_arguments(const double *x, double *y, double a, float b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + b * a * x[i] * x[i] + b;
}

__global__ void scalar_in_loop(const double *x, double *y, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = a;
  for (int k = 0; k < 5; ++k) s = sin(s * a) + x[i];
  a *= s;
  y[i] = a * s;
}

__global__ void two_dimensions(const double *x, double *y, int w, int h) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w || r >= h) return;
  int left = c > 0 ? c - 1 : c;
  int up = r > 0 ? r - 1 : r;
  y[r * w + c] = x[r * w + c] * x[r * w + left] + x[up * w + c] * (threadIdx.y + 1);
}

__global__ void three_dimensions(const double *x, double *y, const double *w) {
  int i = (blockIdx.z * blockDim.z + threadIdx.z) * gridDim.y * blockDim.y + blockIdx.y * blockDim.y + threadIdx.y;
  i = i * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i] * w[threadIdx.z] + w[blockIdx.y];
}

__global__ void grid_stride(const double *x, double *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * x[n - 1 - i];
}

__global__ void block_in_index(const double *x, double *y) {
  y[blockIdx.x * blockDim.x + threadIdx.x] = x[blockIdx.x] * x[threadIdx.x] * blockDim.x / (gridDim.x + 1.0);
}

__global__ void atomic_sum(const double *x, double *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, x[i] * x[i]);
}

__global__ void weighted_histogram(const double *x, const double *w, double *bins, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int b = (int)(x[i] * 0.8 * m) % m;
  atomicAdd(&bins[b], w[i] * x[i]);
  if (b + 1 < m) atomicAdd(bins + b + 1, 0.25 * w[i]);
}

__global__ void atomic_float(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 3; ++k) atomicAdd(&y[(i + k) % 4], x[i] * (k + 1));
}

__device__ void deposit(double *grid, int m, double at, double charge) {
  int cell = (int)(at * (m - 1)) % (m - 1);
  double f = at * (m - 1) - (double)(int)(at * (m - 1));
  atomicAdd(grid + cell, charge * (1.0 - f));
  atomicAdd(grid + cell + 1, charge * f);
}
__global__ void cloud_in_cell(const double *position, const double *charge, double *grid, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) deposit(grid, m, position[i], charge[i] * charge[i]);
}

__global__ void all_to_one(const double *w, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = w[0] * x[i] + w[1] * x[i] * x[i] + w[2];
}

__global__ void one_thread(const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * x[(i * 3) % n];
  *y = s;
}
