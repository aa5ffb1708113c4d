// Local arrays, pointers, references, in-place updates of global memory.
__global__ void local_array(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[8];
  for (int k = 0; k < 8; ++k) a[k] = x[(i + k) % n] * (k + 1);
  double s = 0;
  for (int k = 0; k < 8; ++k) s += a[(k * 3 + i) % 8] * a[k];
  y[i] = s;
}

__global__ void local_matrix(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double m[3][4] = {{1.0, x[i]}, {x[i] * x[i], 2.0, 3.0}};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) m[r][c] += x[(i + r * 4 + c) % n];
  double v[4] = {x[i], 1.0, 0.5};
  double w[3] = {};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) w[r] += m[r][c] * v[c];
  y[i] = w[0] * w[1] + w[2] * w[(i + 1) % 3];
}

__global__ void overwritten_array(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[4] = {x[i], x[(i + 1) % n], 0.5, 1.0};
  for (int k = 0; k < 12; ++k) {
    int j = (k * 5 + i) % 4;
    a[j] = sin(a[j]) * a[(j + 1) % 4] + 0.3;
  }
  y[i] = a[0] * a[1] + a[2] - a[3];
}

__global__ void walking_pointer(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *p = x + i;
  const double *end = x + n;
  double s = 1.0;
  while (p < end) {
    s += *p * *p;
    p += 5;
  }
  p = x;
  s *= *p++;
  double next = p[1];
  s += next * *++p;
  y[i] = s + *(x + (n - 1 - i)) * (double)(end - p);
}

__global__ void pointer_stores(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double *out = &y[3 * i];
  *out++ = x[i] * x[i];
  *out = x[i] + out[-1];
  ++out;
  *out = *(out - 1) * out[-2];
}

__global__ void pointers_compared(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *first = x, *last = x + n - 1;
  double s = 0;
  for (; first != last && last - first > 4; ++first, --last) s += *first * *last;
  const double *pick = i % 2 ? first : last;
  y[i] = s * *pick;
}

__global__ void pointer_to_local(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double u = x[i], v = 2.0;
  double *p = &u;
  *p *= *p;
  p = i % 2 ? &u : &v;
  *p += x[i];
  double a[5] = {u, v, u * v};
  double *q = a;
  q += 2;
  *q = *q * q[-1];
  q[1] = q[0] + u;
  y[i] = a[2] * a[3] + v;
}

__global__ void references(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i];
  double &r = t;
  r *= r;
  double &out = y[i];
  out = t;
  const double &in = x[(i + 1) % n];
  out += r * in;
  double a[3] = {1.0, t, in};
  double &e = a[(i + 1) % 3];
  e = e * e + t;
  out *= a[0] + a[1] + a[2];
}

__global__ void in_place(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = sin(x[i]);
  x[i] = x[i] * x[i] + 0.5;
  x[i] = exp(-x[i]) * x[i];
}

__global__ void in_place_loop(double *x, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < steps; ++k) x[i] = sin(x[i] + k) * x[i] + 0.1;
}

__global__ void read_after_write(const double *x, double *y, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] * x[i];
  for (int k = 0; k < 4; ++k) {
    z[i] += y[i] * x[i];
    y[i] = y[i] * z[i] + 0.2;
  }
}

__global__ void own_rows(double *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double *row = a + i * m;
  for (int k = 1; k < m; ++k) row[k] = row[k] * row[k - 1] + 0.5 * row[k];
  for (int k = m - 2; k >= 0; --k) row[k] -= row[k + 1] * row[k + 1] * 0.1;
}

__global__ void overwrites_with_constant(double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] * x[i];
  if (i % 3 == 0) x[i] = 0.0;
  if (i % 4 == 0) y[i] = 7.0;
}

__global__ void swap_rows(double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i];
  x[i] = y[i] * t;
  y[i] = t;
}

__global__ void gather(const double *x, const int *index, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[index[i]] * x[index[index[i]]] + x[i];
}

__global__ void scatter_own(const double *x, double *y, const int *permutation, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[permutation[i]] = x[i] * x[(i + 1) % n];
  y[permutation[i]] *= x[i];
}

__global__ void integer_array(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int order[6];
  for (int k = 0; k < 6; ++k) order[k] = (k * 5 + i) % 6;
  double s = 1.0;
  for (int k = 0; k < 6; ++k) {
    order[k] ^= order[(k + 1) % 6] & 1;
    s = s * x[order[k]] + x[i];
  }
  y[i] = s;
}

__global__ void insertion_sort(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[7];
  for (int k = 0; k < 7; ++k) a[k] = x[(i + k * 3) % n];
  for (int k = 1; k < 7; ++k) {
    double v = a[k];
    int j = k - 1;
    while (j >= 0 && a[j] > v) {
      a[j + 1] = a[j];
      --j;
    }
    a[j + 1] = v;
  }
  y[i] = a[3] * a[3] + a[0] * a[6];
}

// How often the loop runs depends on what it stores; the bound on k is all that can be known beforehand.
__global__ void in_place_until(double *x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m && x[i] > 0.31; ++k) x[i] = sin(x[i]) * x[i] + 0.1;
}

// How often the loops run is decided by memory that the kernel overwrites; some threads take hundreds of steps.
__global__ void in_place_while(double *x, float *y, int *steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  while (x[i] < 0.25 * i) {
    x[i] += 0.01 * cos(x[i]) + 0.05;
    ++steps[i];
  }
  do {
    y[i] = 0.75f * y[i] + (float)x[i] * 0.01f;
  } while (y[i] > 0.5f && --steps[i] > 0);
}
