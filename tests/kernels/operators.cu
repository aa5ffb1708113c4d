// Every operator of C++ on floating-point and integer values.
__global__ void arithmetic(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = (a[i] + b[i]) * (a[i] - b[i]) / (b[i] + 2.0) - -a[i] + +b[i] * 3;
}

__global__ void compound_local(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = a[i];
  t += b[i] * t;
  t -= 0.5 * b[i];
  t *= t;
  t /= b[i] + 1.5;
  t += t;
  t *= t + b[i];
  y[i] = t;
}

__global__ void compound_memory(double *a, const double *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] += b[i];
  a[i] *= a[i];
  a[i] -= b[i] * a[i];
  a[i] /= 1.0 + a[i] * a[i];
}

__global__ void increments(const double *a, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = a[i];
  double u = t++ * a[i];
  double v = ++t * u;
  double w = t-- - v;
  --t;
  y[i] = u * v + w * t;
}

__global__ void conditional(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = a[i] > 0.7 ? a[i] * b[i] : b[i] > 0.5 ? b[i] * b[i] : a[i] - b[i];
  y[i] = t * (i % 2 ? a[i] : b[i]);
}

__global__ void logical(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = a[i];
  if (a[i] > 0.6 && (s *= b[i]) > 0.4) s += a[i];
  if (!(b[i] < 0.5) || (s -= b[i] * b[i]) < 0.0) s *= 2.0;
  bool both = a[i] > 0.5 && b[i] > 0.5;
  y[i] = s * s + both * a[i];
}

__global__ void chained_assignment(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double u, v, w;
  u = v = a[i] * b[i];
  (u = v * a[i]) *= b[i];
  w = (v += u, v * u);
  (i % 3 ? u : v) = w * b[i];
  y[i] = u * v + w;
}

__global__ void integer_operators(const double *a, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = (unsigned)i * 2654435761u;
  h ^= h >> 13;
  h = (h << 7) | (h >> 25);
  h += ~h & 0xffu;
  int k = (int)(h % 5u) - 2;
  k = k < 0 ? -k : k;
  k |= 1;
  k <<= 1;
  y[i] = a[(i + k) % n] * (double)(k + 1) + a[i] * (double)(h & 7u);
}

__global__ void comparison_as_number(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = (a[i] > b[i]) * a[i] + (a[i] <= b[i]) * b[i] * b[i] + (i != 3) * a[i] * b[i];
}

__global__ void same_operand(const double *a, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = a[i];
  t = t * t * t - t / (t + t * t + 1.0);
  y[i] = t / t + t * t;
}

__global__ void store_in_expression(const double *a, double *y, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = (y[i] = a[i] * a[i]) + 1.0;
  z[i] = (y[i] += t) * t;
}
