// Loops whose iterations are counted in an int or in a long, and states of which lie before numbered steps.
__global__ void directions(const double *x, const double *w, double *y, int first, int last, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = x[i];
  for (int a = 0; a < last; a++) r = r * w[a] + x[i];
  for (int b = 2; b <= last; b += 3) r = r * w[b] + x[i];
  for (int c = last - 1; c >= 0; c--) r = r * w[c] + x[i];
  for (int d = last; d >= 0; d -= 2) r = r * w[d] + x[i];
  for (int e = first; e < last; e++) r = r * w[e < 0 ? -e : e] + x[i];
  for (short f = 1; f < last; f++) r = r * w[f] + x[i];
  y[i] = r;
}

__global__ void wide(const double *x, const double *w, double *y, long last, unsigned few, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = x[i];
  for (long a = 0; a < last; a++) r = r * w[a] + x[i];
  for (unsigned b = 0; b < few; b++) r = r * w[b] + x[i];
  for (int c = 0; c < last; c++) r = r * w[c] + x[i];
  y[i] = r;
}

// Sums that all blocks add to, at indices of several widths.
__global__ void indices(const float *w, const float *x, float *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < m; k++) {
    const short narrow = static_cast<short>(k);
    const long distance = k;
    sum += w[k] * x[i] + w[narrow] * w[distance];
  }
  y[i] = sum;
}

// Each lane its own part of a row, from a place that is no constant.
__global__ void parts(const double *x, const double *w, double *y, int columns, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, half = lane / 2;
  if (row >= n) return;
  double r = x[row];
  for (int c = lane; c < columns; c += 32) r = r * w[c] + x[row];
  for (int c = half; c <= columns; c += 16) r = r * w[c] + x[row];
  y[32 * row + lane] = r;
}

// The lane's own part of what all blocks add to, in other words.
__global__ void by_remainders(const double *x, const double *w, const double *v, double *y, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, masked = (threadIdx.x * 33) & 63;
  if (i >= n) return;
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += w[(threadIdx.x * 33 + 32 * k) % 64] * x[i] * (k + 1);
  if (masked < length) sum += v[masked] * x[i] * x[i];
  y[i] = sum;
}

// What is compared is the counter with something added to it, or times a number: how often loops run is known all the same.
__global__ void by_fours(double *y, const double *x, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, all = blockDim.x * gridDim.x;
  double s = 1.0;
  int l = 4 * t;
  for (; l + 3 < n; l += 4 * all)
    for (int k = 0; k < 4; k++) s = s * cos(x[l + k]) + 0.5;
  for (; l < n; ++l) s += s * x[l];
  for (int i = t; n - 4 >= 2 * i; i += all) s *= 1.0 + 0.1 * x[2 * i];
  for (int i = n; i - 2 > t; i -= 3) s += sin(s) * x[i - 1];
  y[t] = s;
}
