// Arrays of as many elements as there may ever be, of which a launch uses a few.
constexpr int MOST = 48;

__global__ void rows_in_registers(double *y, const double *x, const double *w, int columns) {
  double values[MOST];
  const int used = columns / blockDim.x, last = used * blockDim.x + threadIdx.x;
  const double *row = x + blockIdx.x * columns;
  int count = used;
  double sum = 0.0;
  for (int i = 0; i < used; i++) {
    values[i] = row[i * blockDim.x + threadIdx.x];
    sum += values[i];
  }
  if (last < columns) {
    values[count] = row[last];
    sum += values[count++];
  }
  for (int i = 0; i < count; i++) values[i] -= sum * sum;
  for (int i = 0; i < used; i++) {
    values[i] = values[i] * w[i * blockDim.x + threadIdx.x] + sum;
    y[blockIdx.x * columns + i * blockDim.x + threadIdx.x] = values[i];
  }
  if (last < columns) y[blockIdx.x * columns + last] = values[used] * values[used] * w[last];
}

// Which element is used is not known before.
__global__ void chosen(double *y, const double *x, const int *which, int n) {
  double values[MOST];
  for (int i = 0; i < MOST; i++) values[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) values[which[i]] += x[i] * threadIdx.x;
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += values[which[i]] * values[i];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
