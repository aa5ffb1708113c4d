// Elements that numbers in memory choose: many threads add to few of them.

// A row for each thread, whose lanes meet in every iteration.
__global__ void row_of_each(const int *id, const double *table, const double *x, double *y, int n, int d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int row = id[i];
  double sum = 0;
  for (int k = 0; k < d; ++k) sum += table[row * d + k] * (x[i] + k) * table[row * d + k];
  y[i] = sum;
}

// One element for each thread, and one of a table of floats beside a number of the block.
__global__ void element_of_each(const int *id, const double *table, const float *scales, const double *x, double *y,
                                int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table[id[i]] * x[i] * scales[4 * (int)blockIdx.x + id[i] % 4];
}

// Columns that each iteration reads, and a place of the thread's own beside what is chosen: lanes do not meet there.
__global__ void columns_of_rows(const int *first, const int *column, const double *a, const double *x, double *y,
                                int n, int plane) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = x[first[i] % 3 * plane + i / 2];
  for (int k = first[i]; k < first[i + 1]; ++k) sum += a[k] * x[column[k]];
  y[i] = sum;
}

// A number that a search finds is none that was read.
__global__ void found_by_search(const double *at, const double *value, const double *x, double *y, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int low = 0, high = m - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (at[middle] > x[i]) high = middle;
    else low = middle;
  }
  y[i] = value[low] + (x[i] - at[low]) * value[high];
}

// Neighbours share a scale, pairs of them an offset, and all of a step one more: by an area, a number and a step.
__global__ void by_quotients(const double *scale, const double *offset, const double *more, const double *x, double *y,
                             int n, int area) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const int step = x[i] > 1.0 ? 8 : 16;
    y[i] = scale[i / area] * x[i] + offset[i / 2] + scale[i / 16] * more[i / step];
  }
}
