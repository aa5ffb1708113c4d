// Sums over memory whose terms depend on numbers from outside of the loop.
__device__ double over(double a, double b) { return a / (1.0 + b * b); }

// Layer norm by one thread: both sums are needed, and each of the loops reads the row.
__global__ void spread(double *y, const double *x, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double *in = x + row * columns;
  double sum = 0.0;
  for (int c = 0; c < columns; c++) sum += in[c];
  const double mean = sum / columns;
  double squares = 0.1;
  for (int c = 0; c < columns; c++) squares += (in[c] - mean) * (in[c] - mean);
  for (int c = 0; c < columns; c++) y[row * columns + c] = (in[c] - mean) / sqrt(squares);
}

// Several rows in both loops: what is taken of one output, or of two, goes to all of them.
__global__ void several_rows(double *y, double *z, const double *x, const double *g, const double *h, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, first = row * columns;
  if (row >= rows) return;
  double sum = 0.0;
  for (int c = 0; c < columns; c++) sum += x[first + c] * g[first + c];
  for (int c = 0; c < columns; c++) y[first + c] = x[first + c] * g[first + c] * sum;
  double other = 0.0;
  for (int c = 0; c < columns; c++) other += sin(x[first + c]) * h[first + c] * g[first + c];
  for (int c = 0; c < columns; c++) z[first + c] = (x[first + c] + h[first + c] * sum) * (g[first + c] - other);
}

// Two numbers from outside, one of them a parameter, in what is subtracted; a choice between them.
__global__ void two_of_them(double *y, const double *x, double p, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double *in = x + row * columns;
  const double q = in[0] * in[columns - 1];
  double sum = q;
  for (int c = 0; c < columns; c++) sum -= over(in[c], p) * (in[c] > q ? q : p);
  y[row] = sum * sum * p;
}

// The sum is in its own terms; what is outside is carried by a loop around; the number of turns depends on it.
__global__ void not_a_sum(double *y, const double *x, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double *in = x + row * columns;
  double m = in[0], sum = 0.5;
  for (int c = 0; c < columns; c++) sum += sum * in[c] * m;
  for (int k = 0; k < 3; k++) {
    double inner = 0.0;
    for (int c = 0; c < columns; c++) inner += in[c] * m + m * m;
    m = sin(inner) + m;
  }
  double last = 0.0;
  for (int c = 0; c < columns * m; c++) last += in[c % columns] * m;
  y[row] = sum * sum * m + sin(last);
}

// Partials are infinite where nothing is asked of the sum.
__global__ void roots(double *y, const double *x, const double *m, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double scale = m[row];
  double sum = 0.0;
  for (int c = 0; c < columns; c++) sum += sqrt(x[row * columns + c] * scale);
  y[row] = sum > 0.0 ? sum * sum * scale : scale;
}

// In floats, by warps.
__global__ void deviations(float *y, const float *x, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f, squares = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += x[row * columns + c];
  for (int lane = 16; lane > 0; lane >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, lane);
  const float mean = sum / columns;
  for (int c = lane; c < columns; c += 32) squares += (x[row * columns + c] - mean) * (x[row * columns + c] - mean);
  for (int lane = 16; lane > 0; lane >>= 1) squares += __shfl_xor_sync(0xffffffffu, squares, lane);
  const float scale = rsqrtf(squares / columns + 1e-2f);
  for (int c = lane; c < columns; c += 32) y[row * columns + c] = (x[row * columns + c] - mean) * scale;
}
