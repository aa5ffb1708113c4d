// What threads have in arrays of their own for an iteration, while other memory is overwritten in it.

// Four numbers at a time, of which a running maximum and a sum are made; both are put together in shared memory.
__global__ void four_at_a_time(double *y, const double *x, int columns) {
  __shared__ double parts[2][64];
  const double *row = x + blockIdx.x * columns;
  const int t = threadIdx.x;
  double v[4], most = -1e30, sum = 0.0;
  for (int c = t; c < columns / 4; c += blockDim.x) {
    v[0] = row[4 * c];
    v[1] = row[4 * c + 1];
    v[2] = row[4 * c + 2];
    v[3] = row[4 * c + 3];
    for (int k = 0; k < 4; k++) {
      most = fmax(most, v[k]);
      sum += v[k] * v[k];
    }
  }
  parts[0][t] = most;
  parts[1][t] = sum;
  __syncthreads();
  if (t == 0) {
    for (int k = 1; k < blockDim.x; k++) {
      if (parts[0][k] > most) most = parts[0][k];
      sum += parts[1][k] * most;
      parts[0][k] = most;
    }
    y[blockIdx.x] = sum * most;
  }
}

// The nearest so far are in an array that is overwritten; the point is filled in by a loop, anew for each.
__global__ void nearest(double *y, const double *x, const double *z, int points, int others) {
  double point[3], best[4];
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < points; p += gridDim.x * blockDim.x) {
    for (int d = 0; d < 3; d++) point[d] = x[3 * p + d] * x[3 * p + d];
    int found = 0, last = 0;
    double limit = 0.0;
    for (int o = 0; o < others; o++) {
      double far = 0.0;
      for (int d = 0; d < 3; d++) far += (point[d] - z[3 * o + d]) * (point[d] - z[3 * o + d]);
      if (found < 4) {
        best[found] = far;
        if (found == 0 || far > limit) {
          limit = far;
          last = found;
        }
        found++;
      } else if (far < limit) {
        best[last] = far;
        limit = far;
        for (int k = 0; k < 4; k++) {
          if (best[k] > limit) {
            limit = best[k];
            last = k;
          }
        }
      }
    }
    for (int k = 0; k < found; k++) y[4 * p + k] = best[k];
  }
}

// An iteration finds in the array what an earlier one left where its own condition leaves elements out.
__global__ void left_by_earlier(double *y, const double *x, int n) {
  double kept[4] = {1.0, 2.0, 3.0, 4.0};
  __shared__ double both;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++)
      if ((i + k) % 3 != 0) kept[k] = x[i] * (k + threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) both = x[i] * x[i];
    __syncthreads();
    double sum = both;
    for (int k = 0; k < 4; k++) sum += kept[k] * kept[k];
    y[i * blockDim.x + threadIdx.x] = sum;
  }
}

// Rows of shared memory that lie farther apart than a row of threads is long, with numbers for all of a row behind them;
// some rows have nothing to do.
__device__ void sum_of_row(double *own, int t) {
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) own[t] += own[t + s];
    __syncthreads();
  }
}

__global__ void rows_apart(double *y, const double *x, const int *used, int rows, int columns) {
  extern __shared__ double memory[];
  double *own = memory + (blockDim.x + 2) * threadIdx.y;
  const int t = threadIdx.x;
  if (t == 0) own[blockDim.x + 1] = 1.0 / columns;
  __syncthreads();
  for (int r = blockIdx.x * blockDim.y + threadIdx.y; r < rows; r += gridDim.x * blockDim.y) {
    if (used[r] == 0) {
      if (t == 0) y[r] = 0.0;
      continue;
    }
    own[t] = 0.0;
    for (int c = t; c < columns; c += blockDim.x) own[t] += x[r * columns + c] * own[blockDim.x + 1];
    sum_of_row(own, t);
    if (t == 0) own[blockDim.x] = own[0];
    __syncthreads();
    own[t] = 0.0;
    for (int c = t; c < columns; c += blockDim.x) {
      const double apart = x[r * columns + c] - own[blockDim.x];
      own[t] += apart * apart;
    }
    sum_of_row(own, t);
    if (t == 0) y[r] = own[0];
  }
}

// As many turns as not store something: there is no number to beat.
__global__ void sums_below(double *y, const double *x, int n, double limit) {
  double kept[4];
  for (int r = 0; r < 2; r++) {
    for (int k = 0; k < 4; k++) kept[k] = 0.0;
    int last = 0;
    double before = 0.0;
    for (int i = 0; i < n; i++) {
      const double now = x[r * n + i] * x[r * n + i] + before;
      if (now * threadIdx.x < limit) kept[last % 4] = now * now;
      before = limit / (i + 1.0 + now);
      last = now > 1.0 ? last + 1 : last + 2;
    }
    for (int k = 0; k < 4; k++) y[(r * blockDim.x + threadIdx.x) * 4 + k] = kept[k];
  }
}

// What is stored in every turn is reversed in every turn, whatever is found beside it.
__global__ void all_of_it(double *y, double *z, const double *x, int n) {
  double best[2] = {0.0, 0.0};
  double least = 1e30;
  int at = 0;
  for (int r = 0; r < 2; r++) {
    for (int i = 0; i < n; i++) {
      const double now = x[r * n + i] * (threadIdx.x + 1.5);
      if (now < least) {
        best[at % 2] = now * now;
        least = now;
        at++;
      }
      z[(r * n + i) * blockDim.x + threadIdx.x] = now * now * now;
    }
    y[(r * blockDim.x + threadIdx.x) * 2] = best[0];
    y[(r * blockDim.x + threadIdx.x) * 2 + 1] = best[1];
  }
}
