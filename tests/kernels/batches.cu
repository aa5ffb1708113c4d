// Strided loops whose iterations may load together, and such whose iterations must not.

// Weights found by an index that is loaded as well.
__global__ void by_index(double *y, const double *x, const double *w, const int *at, int n) {
  double sum = 0.0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[blockIdx.x * n + i] * w[at[i]];
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = sum * w[at[n - 1 - i]] * w[at[i]];
}

// In place, with what the iteration before has stored at another place.
__global__ void in_place(double *a, const double *x, int n) {
  double *own = a + blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) own[i] = own[i] * 2.0 + sin(x[blockIdx.x * n + i]);
}

__global__ void squared_in_place(double *a, const double *x, int n) {
  double *own = a + blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) own[i] = own[i] * own[i] + sin(x[blockIdx.x * n + i]);
}

__global__ void carried_on(double *a, const double *x, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  double *own = a + row * n;
  for (int i = 2; i < n; i += gridDim.x) own[i] = own[i - 1] * own[i] + own[i - 2] * x[row * n + i];
}

// Backwards, and by a step that is a parameter.
__global__ void from_end(double *y, double *z, const double *x, const double *w, int n, int step) {
  double sum = 0.0;
  for (int i = n - 1 - threadIdx.x; i >= 0; i -= blockDim.x) sum += exp(x[blockIdx.x * n + i]) * w[i];
  for (int i = n - 1 - threadIdx.x; i >= 0; i -= blockDim.x) y[blockIdx.x * n + i] = sum * x[blockIdx.x * n + i];
  for (int i = threadIdx.x; i < n; i += step * blockDim.x) z[blockIdx.x * n + i] = sum * sum + x[blockIdx.x * n + i];
}

// Neighbours, which two iterations of one thread reach where the block is small, and pairs that share an element.
__global__ void neighbours(double *y, const double *x, const double *v, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[blockIdx.x * n + i] = x[blockIdx.x * (n + 2) + i] * x[blockIdx.x * (n + 2) + i + 2] * v[blockIdx.x * n + i / 2];
}

// One thread for each row: two iterations come to one element.
__global__ void pairs_of_row(double *y, const double *x, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += x[row * n + i / 2] * x[row * n + i];
    y[row * n + i] = sum;
  }
}

// How far the counter moves depends on what is loaded, or the loop ends because of it.
__global__ void by_what_is_found(double *y, const double *x, int n) {
  const double *own = x + (blockIdx.x * blockDim.x + threadIdx.x) * n;
  double sum = 0.0;
  int i = 0;
  while (i < n) {
    sum += own[i] * own[i];
    i += own[i] > 0.7 ? 2 : 1;
  }
  for (int k = threadIdx.x % 2; k < n && sum < 4.0; k += gridDim.x) sum += own[k] * sum;
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The counter is read before and after it moves, and what decides the branch is loaded.
__global__ void counted(double *y, const double *x, int n, int from) {
  const double *own = x + blockIdx.x * n;
  int i = from + threadIdx.x;
  double sum = 0.0;
  while (i < n) {
    const double before = own[i];
    const int was = i;
    i += blockDim.x;
    if (before > 0.6) sum += before * before * (was - i);
    else sum -= before * i;
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Both what is stored and what is read, adjoints of each taken in one loop.
__global__ void both_rows(double *y, double *z, const double *x, int n) {
  const int first = blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    y[first + i] = x[first + i] * x[first + i];
    z[first + i] = sin(x[first + i]) + y[first + i];
  }
}
