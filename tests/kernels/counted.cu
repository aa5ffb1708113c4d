// Loops with barriers in them through which threads count that have left, or that begin at different numbers.

// Threads beyond the end leave at once; the others add up what there is of them.
template <class Step>
__global__ void left(const double *x, double *y, int n) {
  __shared__ double s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (i >= n) return;
  const int there = min((int)blockDim.x, n - (int)(blockIdx.x * blockDim.x));
  s[t] = x[i] * x[i];
  __syncthreads();
  for (Step o = blockDim.x / 2; o > 0; o >>= 1) {
    if (t < o && t + o < there) s[t] += s[t + o];
    __syncthreads();
  }
  y[i] = x[i] / (1.0 + s[0] * s[0]);
}

// Neighbours first, and a maximum; what is declared between barriers is made of what others have changed.
__global__ void neighbours(const double *x, double *y, int n) {
  __shared__ double s[64], m[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  s[t] = m[t] = 0;
  if (i >= n) return;
  int moved = t;
  moved += 1;
  const int next = moved, there = next;
  const bool first = there == 1;
  s[t] = m[t] = x[i];
  __syncthreads();
  for (unsigned o = 1; o < blockDim.x; o <<= 1) {
    if (t % (2 * o) == 0 && t + o < blockDim.x) {
      s[t] += s[t + o] * s[t + o];
      m[t] = fmax(m[t], m[t + o]);
    }
    __syncthreads();
  }
  y[i] = (first ? 2.0 : 1.0) * x[i] * s[0] + m[0] * (next % 3);
}

// Rows of a block's second dimension, of which the last block has fewer; some rows are left out.
template <bool Leaves>
__global__ void rows(const double *x, const int *kind, double *y, int n) {
  extern __shared__ double every[];
  double *s = every + blockDim.x * threadIdx.y;
  const int t = threadIdx.x;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < n; row += gridDim.x * blockDim.y) {
    if (Leaves && kind[row] == 1) {
      if (t == 0) y[row] = x[row * blockDim.x];
      continue;
    }
    s[t] = exp(x[row * blockDim.x + t]);
    __syncthreads();
    for (unsigned o = blockDim.x / 2; o > 0; o >>= 1) {
      if (t < o) s[t] += s[t + o];
      __syncthreads();
    }
    if (t == 0) y[row] = log(s[0]) * x[row * blockDim.x + 1];
    __syncthreads();
  }
}

// Groups of eight threads have a row each; a block's groups do not end together.
__global__ void groups(const double *x, double *y, int n) {
  __shared__ double s[64];
  const int in_group = threadIdx.x % 8, per_block = blockDim.x / 8;
  for (int row = blockIdx.x * per_block + threadIdx.x / 8; row < n; row += gridDim.x * per_block) {
    s[threadIdx.x] = x[row * 8 + in_group] * x[row * 8 + in_group];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += s[threadIdx.x / 8 * 8 + k];
    __syncthreads();
    y[row * 8 + in_group] = x[row * 8 + in_group] * rsqrt(1.0 + sum);
  }
}

// Sums of all numbers before each of a row, whose length the memory says, eight at a time: up and down a tree.
__global__ void sums_before(const double *x, const int *from, const int *count, double *y, int rows) {
  __shared__ double every[3][8];
  double *s = every[threadIdx.y];
  const unsigned t = threadIdx.x;
  for (unsigned first = blockIdx.x * blockDim.y; first < rows; first += gridDim.x * blockDim.y) {
    const unsigned row = first + threadIdx.y;
    double total = 0;
    if (row >= rows) continue;
    const unsigned size = count[row];
    if (size == 0) continue;
    for (unsigned col = 0; col < size; col += 8) {
      s[t] = col + t < size ? x[from[row] + col + t] : 0;
      s[t + 4] = col + t + 4 < size ? x[from[row] + col + t + 4] : 0;
      if (t == 0) s[0] += total;
      __syncthreads();
      for (unsigned o = 4, d = 1; o >= 1; o >>= 1, d <<= 1) {
        if (t < o) s[(2 * t + 2) * d - 1] += s[(2 * t + 1) * d - 1];
        __syncthreads();
      }
      for (unsigned o = 2, d = 2; d >= 1; o <<= 1, d >>= 1) {
        if (t < o - 1) s[(2 * t + 3) * d - 1] += s[2 * (t + 1) * d - 1];
        __syncthreads();
      }
      if (col + t < size) y[from[row] + col + t] = s[t] * s[t];
      if (col + t + 4 < size) y[from[row] + col + t + 4] = s[t + 4];
      total = s[7];
      __syncthreads();
    }
  }
}
