// Loops that run unequally often in the threads of a launch, of whose numbers the host knows the largest.

// Rows of a triangle by warps, whose lanes take four numbers at a time.
__global__ void triangle(int rows, int n, const double *x, double *y) {
  const int row = (gridDim.x - blockIdx.x - 1) * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const int own = row % n, fours = own / 4;
  double s = 0.5;
  for (int i = lane; i < fours; i += 32)
    for (int k = 0; k < 4; ++k) s = sin(s) * x[row * n + 4 * i + k] + 0.25;
  y[row * 32 + lane] = s;
}

// Up to a thread's own number, to the smaller of two, to the smaller or larger one by conditions.
__global__ void up_to(int n, int most, const int *of, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k <= (int)threadIdx.x; ++k) y[i] = sin(y[i]) + x[k];
  for (int k = 0; k < min(of[i], most); ++k) y[i] = cos(y[i]) * x[k];
  const int few = most < of[i] + 1 ? most : of[i] + 1;
  for (int k = 0; few > k; ++k) y[i] = sin(y[i]) * x[k];
  const int many = of[i] > 2 ? most : (int)(threadIdx.x & 3u);
  for (int k = 0; many >= k; ++k) y[i] = y[i] * y[i] * x[k];
}

// Inside of others, and up to what is left behind them.
__global__ void inside(int n, int m, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int a = 0; a < m; ++a) {
    double t = s;
    for (int b = 0; b < a; ++b)
      for (int l = 0; l < 4; ++l) t = sin(t) * cos(t + x[b + l]);
    for (int b = a; b < m - (int)(i % 3u); ++b)
      for (int l = 0; l < 4; ++l) t = cos(t) * sin(t + x[b + l]);
    s += t * t;
  }
  for (int a = 1; m >= a; ++a)
    for (int b = 0; b <= a * 2 - 1; ++b)
      for (int l = 0; l < 4; ++l) s = sin(s) * cos(s + x[a + l]);
  y[i] = s;
}

// What of the last chunk is left, by products and shifts.
__global__ void chunks(int n, int size, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i * size, mine = n - first < size ? n - first : size;
  for (int k = 0; k < mine; ++k) y[i] = sin(y[i]) * x[first + k];
  int twice = 2 * (int)threadIdx.x >> 2;
  if (i > 3) twice = (int)threadIdx.x;
  for (int k = 0; k < twice + 1; ++k) y[i] = cos(y[i]) * 0.5;
}

// Of none of these the host knows anything.
__global__ void unknown(int n, int m, const int *of, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < of[i]; ++k) s = sin(s) + x[k];
  y[i] = s;
}
__global__ void differences(int n, unsigned m, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < m - i % 2u; ++k) s = sin(s) + x[k];
  y[i] = s;
}
// A number that is added may be negative, and a large one as an unsigned.
__global__ void shifted(int n, int by, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < (int)(threadIdx.x + by); ++k) y[i] = sin(y[i]) + x[k];
}
