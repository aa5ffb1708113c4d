// What has its kink where a branch compares two numbers takes the branch's side there.
#include <cmath>

// A softplus, a sigmoid and a loss, which are smooth, by branches.
__global__ void by_choices(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  y[i] = (v > 0 ? v : 0) + log(1 + exp(v > 0 ? -v : v));
}
__global__ void by_functions(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  double r;
  if (v >= 0)
    r = fmax(v, 0.0) + log1p(exp(-fabs(v)));
  else
    r = log1p(exp(-fabs(v))) + fmax(v, 0.0);
  y[i] = r;
}
// The numbers of a branch, again chosen of by its condition, by the opposite, and by another.
__global__ void chosen_again(const double *x, const double *w, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = x[i], b = w[i];
  double r, s;
  if (a > b) {
    r = a * a;
    s = a > b ? a - b : b - a;
  } else {
    r = b * a;
    s = b >= a ? b - a : a - b;
  }
  const bool above = !(a <= b);
  y[i] = r + s * (above ? a : b) + fmin(a, b) * (a < b ? a : b);
}
// Conditions that ask for more, numbers that are loaded again, and functions that are called.
__global__ void joined(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0)
    y[i] = x[i] + log1p(exp(-fabs(x[i])));
  else if (i < n)
    y[i] = fmax(x[i], 0.0) + log1p(exp(-fabs(x[i])));
}
__device__ double positive(double v) { return v > 0 ? v : 0; }
__device__ double rest(double v) { return log1p(exp(-fabs(v))); }
__device__ double distance(double a, double b) { return a > b ? a - b : b - a; }
__device__ double positive_of(const double *p, int i) { return p[i] >= 0 ? p[i] : 0; }
__global__ void called(const double *x, const double *w, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = x[i], b = w[i];
  y[i] = positive(a) + rest(a) + positive(a - b) + log1p(exp(-distance(b, a))) + positive_of(w, i) + rest(-w[i]);
}
__global__ void clamped(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = 2 * x[i];
  float r = 0;
  if (v > 0 && !(v > 1)) r = v * v;
  y[i] = r + (1 - v * v) * (v > 1 ? 1.0f : 0.0f) - __saturatef(v) * __saturatef(v) + copysignf(v, -1.0f) + fabsf(v);
}
// The number is read again by its index, left out, and marked; where lanes agree on the index, too.
__global__ void by_index(const double *x, double *y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double *v = x + row * columns;
  double m = v[0], sum = 0, rest = 0;
  int at = 0;
  for (int c = 1; c < columns; ++c)
    if (v[c] > m) {
      m = v[c];
      at = c;
    }
  for (int c = 0; c < columns; ++c) sum += exp(v[c] - v[at]);
  for (int c = 0; c < columns; ++c)
    if (c != at) rest += v[c];
  y[row] = m + log(sum) + (m + rest) * (m - v[at] + 1);
}
__global__ void by_marks(const double *x, double *y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  bool used[16] = {};
  double sum = 0;
  for (int k = 0; k < columns; ++k) {
    double m = -INFINITY;
    int at = 0;
    for (int c = 0; c < columns; ++c)
      if (!used[c] && x[row * columns + c] > m) {
        m = x[row * columns + c];
        at = c;
      }
    used[at] = true;
    sum += m * m;
  }
  y[row] = sum;
}
__global__ void by_lanes(const double *x, double *y) {
  const int lane = threadIdx.x;
  double m = x[lane];
  int at = lane;
  for (int k = 16; k; k >>= 1) {
    const double o = __shfl_xor_sync(~0u, m, k);
    const int there = __shfl_xor_sync(~0u, at, k);
    if (o > m || (o == m && there < at)) {
      m = o;
      at = there;
    }
  }
  const double e = exp(x[lane] - m);
  double sum = e;
  for (int k = 16; k; k >>= 1) sum += __shfl_xor_sync(~0u, sum, k);
  y[lane] = e / sum * (x[at] - m + 1);
}
