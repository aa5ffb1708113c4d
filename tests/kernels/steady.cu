// Values in memory of the block, or the thread, that loops read in each turn, and that is overwritten afterwards.

__device__ double sum_of(double v, double *s) {
  s[threadIdx.x] = v;
  __syncthreads();
  for (unsigned o = blockDim.x / 2; o > 0; o >>= 1) {
    if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
    __syncthreads();
  }
  return s[0];
}

// The sums are overwritten by the next ones; some threads have no turn.
__global__ void normalised(const double *x, double *y, int rows, int n) {
  extern __shared__ double s[];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const double *from = x + row * n;
    double sum = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x) sum += from[j] * from[j];
    sum_of(sum, s);
    for (int j = threadIdx.x; j < n; j += blockDim.x) y[row * n + j] = from[j] / (1.0 + s[0]);
    __syncthreads();
    sum = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x) sum += exp(from[j]);
    sum_of(sum, s);
    for (int j = threadIdx.x; j < n; j += blockDim.x)
      if (j % 3 != 1) y[row * n + j] *= sqrt(s[0]);
    __syncthreads();
  }
}

// A sum of the thread's beside what all read; nested loops; what changes in the outer one.
__global__ void beside(const double *x, double *y, int rows, int n) {
  extern __shared__ double s[];
  const int t = threadIdx.x;
  for (int row = 0; row < rows; ++row) {
    if (t == 0) s[blockDim.x] = x[row] * x[row];
    s[t] = 0.5;
    __syncthreads();
    for (int i = 0; i < 2; ++i) {
      for (int j = t; j < n; j += blockDim.x) {
        if ((i + j) % 4 == 2) continue;
        s[t] += sin(x[j] * s[blockDim.x] + i) * s[t];
      }
    }
    __syncthreads();
    for (int j = 0; j < n; ++j) {
      if (t == j % blockDim.x) y[row * n + j] = x[j] * s[t] * s[(t + row) % blockDim.x];
    }
    __syncthreads();
  }
}

// The last element may be the thread's own, or that of another, which waits.
__global__ void running(const double *x, double *y, int n) {
  __shared__ double s[64];
  const int t = threadIdx.x;
  double sum = 0;
  s[t] = x[t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    const double last = s[blockDim.x - 1];
    __syncthreads();
    s[t] = sin(s[t] * last + i);
    __syncthreads();
    sum += last * s[blockDim.x - 1];
  }
  y[t] = sum * s[t];
}

// Of the thread's own array, in branches, and not in them; a loop that may not run.
__global__ void own(const double *x, double *y, int n, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[3], sum = 0;
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) a[k] = x[(i + k * row) % n] * (k + 1);
    if (i % 2) {
      for (int k = 0; k < turns; ++k) sum += sin(a[1] * k) * x[(i + k) % n];
    } else {
      for (int k = i % 3; k < 2; ++k) sum += a[row] * a[0] * x[(i + k) % n];
    }
    a[1] = sum;
    a[0] = a[1] * a[2];
    sum += a[0];
  }
  y[i] = sum;
}

// What is farthest from a number that all read, which is overwritten then.
__global__ void farthest(const double *x, double *y, int rows, int n) {
  __shared__ double s[2];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    if (threadIdx.x == 0) s[0] = x[row] * x[row];
    __syncthreads();
    double most = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x) most = fmax(most, fabs(x[row * n + j] - s[0]));
    __syncthreads();
    y[row * blockDim.x + threadIdx.x] = most * s[0];
    __syncthreads();
  }
}
