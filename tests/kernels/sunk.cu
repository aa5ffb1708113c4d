// Loops that add to the same adjoints, but not for the same elements, or with something in between.
__global__ void overwritten_between(const double *w, const double *v, const double *z, double *x, double *y, int rows,
                                    int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double a = 0.0, b = 0.0;
  for (int c = 0; c < columns; ++c) a += x[row * columns + c] * w[c];
  for (int c = 0; c < columns; ++c) x[row * columns + c] = sin(z[row * columns + c]);
  for (int c = 0; c < columns; ++c) b += x[row * columns + c] * v[c];
  y[row] = a * b;
}

__global__ void of_other_lengths(const double *w, const double *v, const double *x, double *y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double a = 0.0, b = 0.0;
  for (int c = 0; c < columns; ++c) a += x[row * columns + c] * w[c];
  for (int c = 0; c < columns - 2; ++c) b += x[row * columns + c] * v[c];
  y[row] = a * b;
}
