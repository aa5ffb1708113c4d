// Loops that count in other ways than by one up to a limit, and such that end on more than their counter: how often they
// run, or run at most, is known of some.
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

// What the counter becomes, and what it is compared with.
__global__ void counters(const double *x, double *y, int n, int m, int step) {
  int i = ID;
  if (i >= n) return;
  double v = x[i];
  for (int k = 0; k != 12; k += 3) v = sin(v) + 0.1 * x[(i + k) % n] * v;
  for (int k = 1; k <= m; k += 3) v = 0.5 * v + x[(i + k) % n] * v;
  for (int k = 2; k < 20; k = 7 + k) v = v * v * 0.3 + x[(i + k) % n];
  for (int k = m; k >= 2; k -= step) v = sin(v) * x[(i + k) % n] + 0.2;
  for (long long k = 0; k < m; k = (int)k + 2) v = cos(v) * x[(i + k) % n];
  for (int k = 0; k < m; k = (int)(k + 2.5)) v = sin(v) + x[(i + k) % n] * v;
  for (int k = 1; k < m; k = (int)(2u * k + 1u)) v = 0.3 * v * v + x[(i + k) % n];
  for (unsigned long long s = m; s > 0; s >>= 1) v = v * x[(i + s) % n] + 0.4;
  for (int s = 40; s > m; s >>= 1) v = 0.9 * sin(v) + x[(i + s) % n] * v;
  for (int s = m + 50; s > step; s /= 2) v = 0.8 * v + x[(i + s) % n] * v * v * 0.1;
  y[i] = v;
}

// They end on their data as well: at most so many iterations are kept.
__global__ void at_most(const double *x, double *y, int n, int m) {
  int i = ID;
  if (i >= n) return;
  double v = x[i];
  for (int k = 20; k > 2 && v < 3.0; k -= 3) v += 0.2 * v * x[(i + k) % n];
  for (int k = 9; k >= 0 && v > 0.3; --k) v *= 0.6 + 0.4 * x[(i + k) % n] * v;
  for (int k = 5; k - 2 < 12 && v < 4.0; k++) v += 0.1 * v * v * x[(i + k) % n];
  for (int k = 5; k < 9 && v < 4.0; --k) v += 0.3 * v * x[(i - k + n) % n] + 0.1;
  bool go = true;
  for (int k = 0; go && k < 9;) {
    v = 0.7 * v + 0.2 * x[(i + k) % n] * v;
    go = v > 0.4;
    k = go ? k + 1 : k;
  }
  y[i] = v;
}

// No more than the threads of a block.
__global__ void at_most_by_block(const double *x, double *y, int n) {
  int i = ID;
  if (i >= n) return;
  double v = x[i];
  for (int k = 0; k < (int)(threadIdx.x & 7) && v < 3.0; ++k) v += 0.2 * v * x[(i + k) % n];
  for (int k = 0; k < threadIdx.x % 5 * 2 && v < 4.0; ++k) v += 0.1 * v * v * x[(i + k) % n];
  for (int k = 0; k < (int)(blockDim.x >> 3) && v > 0.3; ++k) v = 0.7 * v + 0.4 * sin(v) * x[(i + k) % n];
  for (int k = 0; k <= (int)(blockDim.x / 8 + 1) && v < 5.0; ++k) v += 0.3 * v * x[(i + k) % n];
  for (int k = 0; k < (int)(threadIdx.x > 9 ? 6u : blockDim.x / 8) && v < 9.0; ++k) v += 0.2 * v * x[(i + k) % n];
  y[i] = v;
}
