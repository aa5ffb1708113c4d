// The largest and smallest of numbers: which of them it is, whether that is the first or none, and with equal ones.
__global__ void largest_of_rows(const double *x, const double *w, double *y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = w[0];
  for (int c = 0; c < columns; ++c) m = fmax(m, x[row * columns + c] * w[1]);
  y[row] = m * m + x[row * columns];
}

__global__ void in_nested_loops(const float *x, float *y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 1; k < 4; ++k) {
    float m = 10.0f;
    for (int c = row % k; c < columns; c += k) m = fminf(m, sinf(x[row * columns + c]));
    if (k != 2) {
      float largest = m;
      for (int c = 0; c < columns; ++c) largest = fmaxf(largest, x[row * columns + c]);
      m *= largest;
    }
    sum += m * m;
  }
  y[row] = sum;
}

// Where the operands are the other way round, the later one of two that are equal is taken.
__global__ void other_operand(const double *x, double *y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = -1.0;
  for (int c = 0; c < columns; ++c) m = fmax(x[row * columns + c], m);
  y[row] = sin(m);
}

// Each number is taken twice, so that two are equal.
__global__ void equal_numbers(const double *x, double *y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = x[row * columns];
  for (int c = 0; c < 2 * columns; ++c) m = fmax(m, x[row * columns + c / 2] * (1 + c % 2));
  y[row] = m * m;
}

// What has been found so far says when to stop.
__global__ void until_large(const double *x, double *y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = -1.0;
  for (int c = 0; c < columns && m < 0.9; ++c) m = fmax(m, x[row * columns + c] * x[row * columns]);
  y[row] = m * m;
}

// Numbers that are changed afterwards, so that what the loop has seen is kept: of one array, computed, and of rows.
__global__ void changed_later(double *x, double *y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double m = -1.0, p = -1.0, q = -2.0, own[3][4];
  for (int c = 0; c < 12; ++c) own[c / 4][c % 4] = x[row * columns + c % columns] * (1 + c % 5);
  for (int c = 0; c < columns; ++c) m = fmax(m, x[row * columns + c]);
  for (int c = 0; c < columns; ++c) p = fmax(p, x[row * columns + c] * x[row * columns + c]);
  for (int r = 0; r < 3; ++r) q = fmax(q, own[r][r + 1]);
  for (int c = 0; c < 12; ++c) own[c / 4][c % 4] *= m;
  for (int c = 0; c < columns; ++c) x[row * columns + c] *= p;
  y[row] = m * p * q + own[1][2] * own[2][1];
}

// The larger of two that the loop does not carry, and a maximum that begins with a product of others.
__global__ void of_neighbours(const double *x, double *y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double last = 0, m = x[row * columns] * x[row * columns + 1];
  for (int c = 0; c + 1 < columns; ++c) last = fmax(x[row * columns + c], x[row * columns + c + 1]);
  for (int c = 0; c < columns; ++c) m = fmax(m, x[row * columns + c]);
  y[row] = last * m;
}

// Numbers in objects: the loop begins with one of them, and what it has seen is changed afterwards.
struct Weights {
  double of[4];
};
__global__ void of_objects(Weights *w, const Weights *v, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double m = v[i].of[0], p = -1.0, sum = 0.0;
  for (int c = 0; c < 4; ++c) m = fmax(m, v[i].of[c]);
  for (int c = 0; c < 4; ++c) p = fmax(p, w[i].of[c]);
  for (int c = 0; c < 4; ++c) sum += exp(v[i].of[c] - m);
  for (int c = 0; c < 4; ++c) w[i].of[c] *= m + log(sum);
  y[i] = (m + log(sum)) * p;
}

// Numbers of which only some are looked at; one that begins with the first that is, as its index says; and the nearest
// of the neighbours, which begins anew in each row of a grid.
__global__ void of_some(const double *x, const int *wanted, double *y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double *own = x + row * columns;
  double most = -1.0, least = 0.0, near = 0.0;
  int at = -1, on = -1;
  for (int c = 0; c < columns; ++c) {
    if (wanted[c] > 0 && own[c] > most) most = own[c];
  }
  for (int c = 0; c < columns; ++c) {
    if (wanted[c] && (at < 0 || own[c] * own[c] < least)) {
      least = own[c] * own[c];
      at = c;
    }
  }
  for (int c = 0; c < columns; ++c) {
    const double d = own[c] - 0.5;
    if (c % 3 == 0 || d * d < near) {
      near = d * d;
      on = c;
    }
  }
  y[row] = most * least + near * (at + on);
}

// The nearest points of all tiles, each beside the best so far, which lies in memory.
__global__ void nearest(const double *x, const double *points, double *best, int *which, int rows, int count) {
  __shared__ double tile[2 * 32];
  for (int from = 0; from < count; from += 32) {
    const int here = min(32, count - from);
    for (int j = threadIdx.x; j < 2 * here; j += blockDim.x) tile[j] = points[2 * from + j];
    __syncthreads();
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += blockDim.x * gridDim.x) {
      const double u = x[2 * row], v = x[2 * row + 1];
      double least = 0.0;
      int at = 0;
      for (int k = 0; k < here; ++k) {
        const double a = tile[2 * k] - u, b = tile[2 * k + 1] - v, d = a * a + b * b;
        if (k == 0 || d < least) {
          least = d;
          at = from + k;
        }
      }
      if (from == 0 || best[row] > least) {
        best[row] = least;
        which[row] = at;
      }
    }
    __syncthreads();
  }
}

// Several numbers in an iteration, by vectors, with some left out, and begun anew in between.
__global__ void several(const double2 *x, const double *w, double *y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double2 *const own = x + row * columns;
  double most = -9.0, least = 9.0, since = w[0];
  int k = 0;
  for (int c = 0; c < columns; ++c) {
    most = fmax(most, own[c].x);
    most = fmax(most, own[c].y);
  }
  for (int c = 0; c < columns; ++c) {
    const double2 d = own[c];
    if (c != 2 && d.x * w[0] < least) least = d.x * w[0];
    if (d.y * d.x - w[0] < least) least = d.y * d.x - w[0];
    if (d.y < least && c > row) least = d.y;
  }
  while (k < columns) {
    since = fmin(since, own[k].x);
    if (k == 3 || own[k].y < since) since = own[k].y;
    ++k;
  }
  y[row] = most * least + since;
}

// The nearest points of all tiles, two at a time, and what is left.
__global__ void nearest_of_pairs(const double *x, const double *points, double *best, int rows, int count) {
  __shared__ double tile[2 * 32];
  for (int from = 0; from < count; from += 32) {
    const int here = min(32, count - from);
    for (int j = threadIdx.x; j < 2 * here; j += blockDim.x) tile[j] = points[2 * from + j];
    __syncthreads();
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += blockDim.x * gridDim.x) {
      const double u = x[2 * row], v = x[2 * row + 1];
      double least = 0.0;
      for (int k = 0; k + 1 < here; k += 2) {
        {
          const double a = tile[2 * k] - u, b = tile[2 * k + 1] - v, d = a * a + b * b;
          if (k == 0 || d < least) least = d;
        }
        {
          const double a = tile[2 * k + 2] - u, b = tile[2 * k + 3] - v, d = a * a + b * b;
          if (d < least) least = d;
        }
      }
      if (here % 2 == 1) {
        const double a = tile[2 * here - 2] - u, b = tile[2 * here - 1] - v, d = a * a + b * b;
        if (here == 1 || d < least) least = d;
      }
      if (from == 0 || best[row] > least) best[row] = least;
    }
    __syncthreads();
  }
}

// What the lanes of a block have told each other, in pairs.
__global__ void told_in_pairs(const double *x, double *y, int count) {
  __shared__ double told[32];
  double sum = 0.0;
  for (int turn = 0; turn < count; ++turn) {
    told[threadIdx.x] = x[(blockIdx.x * count + turn) * blockDim.x + threadIdx.x] * (1.0 + sum);
    __syncthreads();
    double most = -9.0;
    for (int k = 0; k < 32; k += 2) {
      if (told[k] > most) most = told[k];
      if (told[k + 1] > most) most = told[k + 1];
    }
    sum += most;
    __syncthreads();
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Of what lies inside of a plane, and is wanted; with the place of the largest, which says where more is read.
__global__ void of_windows(const double *x, const int *wanted, double *y, int *where, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double most = -9.0, least = 9.0, near = 9.0, far = -9.0;
  int at = 0;
  for (int d = -2; d <= 2; ++d) {
    const int r = row + d;
    if (r < 0 || r >= rows) continue;
    const double v = x[r * columns] * x[r * columns + 1];
    if (v > most) most = v;
    least = least < x[r * columns + 2] ? least : x[r * columns + 2];
  }
  for (int c = 0; c < columns; ++c) {
    if (wanted[c]) {
      const double v = x[row * columns + c];
      if (c + 1 < columns && v < x[row * columns + c + 1]) near = fmin(v, near);
    } else {
      near = fmin(near, x[row * columns + c] + 1.0);
    }
  }
  for (int c = 0; c < columns; ++c) {
    if (wanted[c] > 0) {
      const double v = x[row * columns + c];
      if (v > far) {
        far = v;
        at = c;
      }
    }
  }
  where[row] = at;
  y[row] = most * least + near * far * x[row * columns + at];
}
