// Arrays of a thread of which some elements have an adjoint.

__device__ void all_five(const double *row, double at, double *found) {
  for (int k = 0; k < 5; ++k) found[k] = row[k] + at * (row[k + 1] - row[k]);
}

// Five results, of which one is asked for; that of each material is made in an array of its own.
__global__ void one_of_five(const int *count, const double *density, const double *table, const double *x, double *y,
                            int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double total[5];
  for (int k = 0; k < 5; ++k) total[k] = 0;
  for (int j = 0; j < count[i]; ++j) {
    double found[5];
    all_five(table + 6 * j, x[i], found);
    for (int k = 0; k < 5; ++k) total[k] += found[k] * density[j];
  }
  y[i] = total[0] * total[0];
}

// One depends on the input, in branches and loops; the others are constants. Floats hold doubles.
__global__ void one_depends(const double *x, const float *scales, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float parts[4] = {1, 2, 3};
  if (x[i] > 0.5) {
    parts[1] = x[i] * x[i];
  } else if (x[i] < -0.5) {
    parts[1] = 4;
  }
  for (int turn = 0; turn < i % 3; ++turn) parts[1] = parts[1] * parts[1] + parts[2];
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    if (k % 2 == 1) sum += parts[k] * scales[k];
    else sum -= scales[k];
  }
  y[i] = sum;
}

// A triangle of numbers in two dimensions, whose inner loops are as long as the outer one says; the diagonal is read.
__global__ void diagonal(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c <= r; ++c) a[r][c] = x[i] * (r + 1) * c + x[i] * x[i];
  double product = 1, power = 1;
  for (int r = 0; r < 3; ++r) {
    power = power * 2 + a[r][r];
    product *= a[r][r] + power;
  }
  y[i] = product;
}

// Indices that only the data says, loops that it ends, and what is longer than loops are written out.
__global__ void not_apart(const int *id, const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[3] = {x[i], 1, 2}, b[3] = {}, c[4] = {x[i], 2, 3, 4}, d[16];
  a[id[i] % 3] *= x[i];
  for (int k = 0; k < 3 && a[0] * k < 1e6 + x[i]; ++k) b[k] = a[0] * k;
  for (int k = 0; k < 40; ++k) c[k % 4] = c[(k + 1) % 4] * 0.5 + k;
  for (int k = 0; k < 16; ++k) {
    double sum = 0;
    for (int m = 0; m < 16; ++m) {
      const double z = sin(x[i] + m);
      sum += z * z * z;
    }
    d[k] = sum;
  }
  y[i] = a[0] + b[1] + c[0] + d[3];
}
