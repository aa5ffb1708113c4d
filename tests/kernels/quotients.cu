// Quotients and what is made of them, at the edges too: zero cotangents beside infinite partials.
__global__ void logarithms(const double *a, const double *b, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = log(a[i] / b[i]) * a[i] + log2(2.0 / a[i]) + log10(b[i] / 3.0);
}

__global__ void logarithms_float(const float *a, const float *b, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = logf(a[i] / b[i]) / b[i] + log2f(a[i] / 7.0f);
}

// The logarithm of a number by itself, and of one by what is made of it.
__global__ void of_itself(const double *a, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = a[i];
  y[i] = log(v / v) + log(v / (1.0 + v * v));
}

// Both are divided by zero where their results are not used.
__global__ void unused_quotients(const double *a, const double *b, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double none = b[i] - b[i];
  const double q = a[i] / (i % 2 ? b[i] : none), l = log(a[i] / (i % 2 ? b[i] : none));
  y[i] = i % 2 ? q + l : a[i];
}

__global__ void by_constants(const double *a, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a[i] / 3.0 + a[i] * a[i] / 1e300 * 1e300 + a[i] / -0.125;
}

// Roots of zero, whose slope is infinite, where the root is not used.
__global__ void roots(const double *a, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double r = sqrt(i % 3 ? a[i] : 0.0 * a[i]);
  y[i] = i % 3 ? r * asin(0.5 * a[i]) + acosh(1.5 + a[i]) : acos(0.5 * a[i]);
}
