// Constructs that meet: macros, commas, chosen places, narrow integers, loops that the data ends.
#define DAMP(v, by) do { (v) *= 0.25; if ((by) > 0.7313) break; (v) += 0.3 * (by); } while (0)
#define SWAP(T, a, b) do { T swapped = (a); (a) = (b); (b) = swapped; } while (0)

__global__ void statement_macros(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i], b = x[(i + 1) % n];
  for (int k = 0; k < 3; ++k) {
    DAMP(a, b);
    if (a > b)
      SWAP(double, a, b);
    else
      DAMP(b, a * x[i]);
  }
  y[i] = a * b;
}

__global__ void commas_and_chosen_places(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i], b = 0.5, t[2] = {a * a, b};
  double c = (a = a * b + 1.0, b *= a, a * b);
  for (int k = 0, j = 3; k < j; ++k, --j, b *= 0.9) {
    (c > 0.6137 ? a : t[k]) *= b;
    (k & 1 ? t[1] : b) = c * a;
    c += (t[0] -= 0.1 * a, t[0] * t[1]);
  }
  y[i] = a + b * c + t[0] * t[1];
}

__global__ void narrow_indices(const double *x, float *f, double *y, size_t n, short shift, unsigned char step) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long at = (long)i - shift;
  if (at < 0) at += (long)n;
  unsigned char wrapped = (unsigned char)(250 + i);
  char small = (char)(i % 5 - 2);
  double s = 0;
  for (size_t k = 4; k-- > 0;) s += x[at] * x[(wrapped + k * step) % n] * small;
  for (unsigned char k = 1; k < 64; k <<= 2) s = s * 0.5 + x[(k + at) % n];
  f[i] = f[i] * (float)s;
  y[i] += s * f[i];
}

__device__ bool shrink(double *r, double by) {
  *r *= 0.4 + 0.3 * by;
  return *r > 0.0537;
}

__device__ double find_first(const double *a, int m, double &hint) {
  for (int j = 0; j < m; ++j) {
    for (int k = j; k < m; ++k) {
      if (a[j] * a[k] > 0.9341) return a[j] - hint * a[k];
      if (a[k] < 0.2517) break;
      hint *= 0.95;
    }
    if (hint < 0.3119) return hint * a[j];
  }
  return a[0] * a[m - 1];
}

__global__ void calls_in_conditions(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = 1.0 + x[i], s = 0, hint = x[i];
  while (shrink(&r, x[i])) {
    s += r * x[i];
    double q = r;
    while (q > 0.1113 * s && find_first(x + i % 4, 5, hint) > 0.0171) {
      q = q * q * 0.5 * hint;
      s += q;
    }
  }
  double found;
  for (; found = find_first(&x[0], 4, hint), found * hint > 0.1419; hint *= 0.8) s *= 1.0 + 0.1 * hint;
  y[i] = s * hint;
}

// Elements that the thread itself wrote are read again, in loops that are left at different places.
__global__ void sweeps(double *a, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double *row = a + i * m;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k <= j; ++k) {
      if (row[k] * row[j] > 0.8713) break;
      row[j] = sin(row[j] * 0.7 + row[k]);
      if (row[j] < 0.3331) continue;
      row[k] -= 0.2 * row[j] * row[(j + k) % m];
    }
    y[i] += row[j];
    if (y[i] > 2.3117) return;
    double &next = row[(j + 1) % m];
    next = 0.5 * next + 0.3 * y[i] * row[j];
  }
  y[i] *= row[0];
}

__device__ void rotate_row(double *row, int m, double by) {
  double last = row[m - 1];
  for (int k = m - 1; k > 0; --k) row[k] = row[k - 1] * by;
  row[0] = last;
}
__device__ double row_norm(const double *row, int m) {
  double s = 0;
  for (const double *p = row; p < row + m; ++p) s += *p * *p;
  return sqrt(s);
}

__global__ void matrix_row_by_row(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double m[3][4];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) m[r][c] = x[(i + 4 * r + c) % n] + 0.1 * c;
  for (int turn = 0; turn < 3; ++turn)
    for (int r = 0; r < 3; ++r) rotate_row(m[(r + i) % 3], 4, row_norm(m[r], 4) * 0.6);
  y[i] = row_norm(m[0], 4) * m[1][i % 4] + row_norm(*(m + 2), 3);
}

// No guard, and every extent of a launch in two dimensions counts.
__global__ void unguarded_plane(const double *x, double *even, float *odd, double scale, float shift, int power) {
  int at = (blockIdx.y * blockDim.y + threadIdx.y) * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[at] * scale + shift;
  for (int k = 1; k < power; ++k) v *= x[at];
  if (threadIdx.y % 2)
    odd[at] = (float)v * shift;
  else
    even[at] -= v * v;
}
