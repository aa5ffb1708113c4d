// Indices that tell which thread comes to an element, digit by digit; and some that do not, though they look like it.
// Nothing is stored at these indices, so that no store is a proof.

#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)
#define GZ (blockIdx.z * blockDim.z + threadIdx.z)

__global__ void transposed(const double *x, double *y, int rows, int cols) {
  int c = GX, r = GY;
  if (c >= cols || r >= rows) return;
  y[c * rows + r] = sin(x[r * cols + c]);
}

__global__ void cells(const double *x, double *y, int nx, int ny, int nz) {
  int i = GX, j = GY, k = GZ;
  if (i < nx && j < ny && k < nz) atomicAdd(y, x[(k * ny + j) * nx + i] * x[(k * ny + j) * nx + i]);
}

// A frame of one element around the cells.
__global__ void framed(const double *x, double *y, int nx, int ny) {
  int i = GX, j = GY;
  if (i < nx && j < ny) atomicAdd(y, exp(x[(j + 1) * (nx + 2) + i + 1]));
}

// Rows are not as long as the guard lets columns be: two threads may come to one element.
__global__ void narrow_rows(const double *x, double *y, int nx, int ny, int pitch) {
  int i = GX, j = GY;
  if (i < nx && j < ny) atomicAdd(y, exp(x[j * pitch + i]));
}

// A column before the first is the last of the row before: all threads are moved by one element.
__global__ void one_to_the_left(const double *x, double *y, int nx, int ny) {
  int i = GX, j = GY;
  if (i < nx && j < ny) atomicAdd(y, exp(x[j * nx + i - 1 + nx]));
}

__global__ void grid_stride(const double *x, double *y, int n) {
  double s = 0;
  for (int i = GX; i < n; i += gridDim.x * blockDim.x) s += x[i] * x[i];
  atomicAdd(y, s);
}

// The stride is that of half of the blocks: all but the first and the last are met by others.
__global__ void short_stride(const double *x, double *y, int n) {
  double s = 0;
  for (int i = GX; i < n; i += blockDim.x) s += x[i] * x[i];
  atomicAdd(y, s);
}

__global__ void rows_by_blocks(const double *x, double *y, int rows, int cols) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    double most = -1e30, s = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) most = fmax(most, x[r * cols + c]);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) s += exp(x[r * cols + c] - most);
    atomicAdd(&y[r], s + most);
  }
}

// The second loop gives the elements to other threads than the first.
__global__ void rows_turned_around(const double *x, double *y, int rows, int cols) {
  int r = blockIdx.x;
  if (r >= rows) return;
  double s = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += x[r * cols + c] * x[r * cols + c];
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += sin(x[r * cols + (cols - 1 - c)]);
  atomicAdd(&y[r], s);
}

__global__ void runs(const double *x, double *y, int n, int length) {
  int i = GX;
  if (i >= n) return;
  double s = 0;
  for (int k = 0; k < length; ++k) s += x[i * length + k] * x[i * length + k];
  y[i] = s;
}

// Runs that reach one element into the next.
__global__ void overlapping_runs(const double *x, double *y, int n, int length) {
  int i = GX;
  if (i >= n) return;
  double s = 0;
  for (int k = 0; k <= length; ++k) s += x[i * length + k] * x[i * length + k];
  y[i] = s;
}

__global__ void planes(const double *f, double *g, int n) {
  int i = GX;
  if (i >= n) return;
  double sum = 0;
  for (int q = 0; q < 5; ++q) sum += f[q * n + i];
  for (int q = 0; q < 5; ++q) g[i * 5 + q] = f[q * n + i] * sum + f[5 * n + i];
}

__global__ void column(const double *a, const double *x, double *y, int n) {
  int i = GX;
  if (i >= n) return;
  double s = 0;
  for (int j = 0; j < n; ++j) s += a[j * n + i] * x[j];
  y[i] = s;
}

__global__ void divided(const double *x, double *y, int rows, int cols) {
  int i = GX;
  if (i >= rows * cols) return;
  int r = i / cols, c = i % cols;
  y[c * rows + r] = x[i] * x[r * cols + c];
}

// The remainder alone is the same for many threads.
__global__ void remainders(const double *x, double *y, int n, int cols) {
  int i = GX;
  if (i < n) y[n - 1 - i] = x[i % cols] * x[(i / cols) % cols];
}

__global__ void shifted_digits(const double *x, double *y, int n) {
  int i = GX;
  if (i < n) y[n - 1 - i] = x[((i >> 3) << 3) + (i & 7)] * 2;
}

// A warp for each row: a block that is no multiple of a warp has warps in common with the next.
__global__ void rows_by_warps(const double *x, double *y, int rows, int cols) {
  int row = GX / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  double s = 0;
  for (int c = lane; c < cols; c += 32) s += x[row * cols + c] * x[row * cols + c];
  atomicAdd(&y[row], s);
}

// One thread of each block, and all of them at once.
__global__ void leaders(const double *x, double *y, int n) {
  double s = 0;
  if (threadIdx.x == 0) s += 2 * x[blockIdx.x];
  if (threadIdx.x == 1) s += 3 * x[blockIdx.x];
  if (s != 0) atomicAdd(y, s * s);
}

__global__ void first_of_each(const double *x, double *y, int n) {
  if (threadIdx.x == 0) atomicAdd(y, x[blockIdx.x] * x[blockIdx.x]);
}

// What is below zero is a large number without a sign: every thread passes, and all meet at their left.
__global__ void no_limit(const double *x, double *y, int n, int width) {
  unsigned i = GX;
  int j = GX / 4;
  if (i < (unsigned)n && (i & 3) < (unsigned)width) atomicAdd(y, x[n + j * width + (int)(i & 3)]);
}

// A length of zero: one element for all.
__global__ void stretched(const double *x, double *y, int n, int stride) {
  int i = GX;
  if (i < n) y[n - 1 - i] = x[i * stride] * x[i * stride];
}

// A product that wraps around: threads that are 256 apart come to one element.
__global__ void wrapped(const double *x, double *y, int n) {
  unsigned i = GX, h = i * 16777216u;
  if (i < n) y[n - 1 - i] = x[((h >> 26) << 2) + (h >> 24 & 3)] * x[h / 16777216u];
}
