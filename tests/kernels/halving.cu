// Loops whose variable is halved or doubled: how often they run is known, and what the variable was.
__global__ void halved(const double *x, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  for (int s = m / 2; s > 0; s >>= 1) v = v * 0.9 + sin(v) * x[(i + s) % n];
  for (unsigned s = m; s != 0; s /= 4) v += x[(i + s) % n] * v;
  for (int s = 40; s >= 3; s /= 2) v = v * x[s % n] + s;
  y[i] = v;
}

__global__ void halved_by_block(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) v = sin(v) * x[(i + s) % n];
  for (size_t s = blockDim.x; s; s >>= 2) v = cos(v) * x[(i + s) % n];
  y[i] = v;
}

__global__ void doubled(const double *x, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  for (int d = 1; d < m; d *= 2) v = v * 0.5 + x[(i + d) % n] * v;
  for (int d = 3; d <= m; d <<= 2) v = sin(v) + x[(i + d) % n] * v;
  for (int d = 1; m > d; d <<= 1) {
    if (v > 1.5) continue;
    v += v * x[(i + d) % n] * d;
  }
  y[i] = v;
}

__global__ void left_early(const double *x, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  for (int s = m; s > 0; s >>= 1) {
    v = v * x[(i + s) % n] + x[i];
    if (v > 1.0) break;
  }
  int s = -8;
  for (; s > 0; s /= 2) v *= 2;
  do {
    v = sin(v) * x[i];
    m /= 2;
  } while (m > 0);
  y[i] = v;
}

// Nested, the inner one begins where the outer one is.
__global__ void butterflies(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  for (int span = 16; span > 0; span /= 2)
    for (int d = span; d < 32; d *= 2) v = 0.5 * v + 0.5 * sin(v * x[(i + d) % n]);
  y[i] = v;
}

// What is shifted beside what the loop asks; some by more bits than there are, or towards zero.
__global__ void beside(const double *x, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  int below = -37, towards = -37, wide = 3;
  unsigned less = 200;
  for (int s = m, d = 1; s > 0; s >>= 1, d <<= 1) {
    v = sin(v * x[(i + s + d) % n] * (1 + below * 0.01) + towards * 0.02) + 0.1 * (wide & 15) + less * 1e-3 * v * v;
    below >>= 1;
    towards /= 2;
    wide *= 4;
    less /= 2;
  }
  y[i] = v;
}
