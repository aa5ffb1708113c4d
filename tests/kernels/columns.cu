// Loops that all threads run alike: the elements that an iteration loads are added to by all threads.

// A thread for each column.
__global__ void columns(double *out, const double *A, const double *x, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < m; j++) sum += A[j * n + i] * x[j];
  out[i] = sum;
}

// A thread for each row.
__global__ void rows(double *out, const double *A, const double *x, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    double sum = 0;
    for (int j = 0; j < m; j++) sum += sin(A[i * m + j]) * x[j];
    out[i] = sum;
  }
}

// Both sides of all pairs, from the same places, with a parameter that all share.
__global__ void pairs(float *e, const float *x, const float *y, float softening, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float scale = x[i] * 0.5f + 1.0f;
  float sum = 0.0f;
  for (int j = 0; j < n; j++) {
    const float dx = x[i] - x[j], dy = y[i] - y[j];
    const float r2 = dx * dx + dy * dy + softening;
    if (r2 < 0.6f) sum += scale * (0.6f - r2) * (0.6f - r2) / r2;
  }
  e[i] = sum;
}

// Every second element, backwards, with a window that threads do not agree on.
__global__ void window(double *out, const double *x, const double *w, int n, int m, int reach) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = 0, norm = 0;
  for (int k = m - 1; k >= 0; k--) {
    const int apart = i > k ? i - k : k - i;
    if (apart > reach) continue;
    sum += w[2 * k + 1] * x[i];
    norm += w[2 * k] * apart;
  }
  out[2 * i] = sum;
  out[2 * i + 1] = norm;
}

// What the loop gives decides about what is added: that is not known to others.
__global__ void normalised(double *out, const double *A, const double *x, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < m; j++) sum += A[i * m + j] * x[j];
  out[i] = sum * sum;
}

// The output is read by its own thread before: its adjoint is the cotangent and more.
__global__ void in_place(double *y, const double *x, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = y[i] * y[i];
  for (int j = 0; j < m; j++) sum += x[j] * (1.0 + j * i);
  y[i] = sum;
}

// Threads write what others load.
__global__ void overwritten(double *out, double *x, const double *w, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  x[m + i] = 2.0 * w[i];
  double sum = 0;
  for (int j = 0; j < m; j++) sum += x[j] * x[m + i] * w[i];
  out[i] = sum;
}

// An iteration needs the one before it.
__global__ void horner(double *out, const double *c, const double *x, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double value = 0;
  for (int j = 0; j < m; j++) value = value * x[i] + c[j];
  out[i] = value;
}

// Threads have different numbers of iterations.
__global__ void triangle(double *out, const double *A, const double *x, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j <= i; j++) sum += A[j] * x[i];
  out[i] = sum;
}

// Some elements are those of several iterations, and of threads.
__global__ void folded(double *out, const double *A, const double *x, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < m; j++) sum += A[(j % 3) * n + i] * x[j] + A[j / 4 * n + i];
  out[i] = sum;
}

// Blocks and threads apart, and what both sums are made of is stored twice.
__global__ void apart(float *a, float *b, const float *x, const float *w, int m) {
  const int i = static_cast<int>(threadIdx.x + blockDim.x * blockIdx.x);
  float first = 0.0f, second = 1.0f;
  for (int j = 0; j < m; ++j) {
    first += w[j] * x[i] * (threadIdx.x + 1);
    second -= w[j] / (x[i] + blockIdx.x + gridDim.x);
  }
  a[i] = first + 0.5f * x[i];
  if (threadIdx.x % 2) b[i] = second * 3.0f - first;
}

// Nothing is loaded where the flag is down; there may be nothing.
__global__ void optional(double *out, const double *w, const double *x, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = x[i];
  if (w) {
    for (int j = 0; j < m; j++) sum += w[m - 1 - j] * x[i];
  }
  out[i] = sum;
}

// Partials are infinite where results are discarded: for the last threads, and for pairs at one place.
__global__ void discarded_pairs(double *e, const double *x, const double *y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const double px = i < n ? x[i] : 0.0, py = i < n ? y[i] : 0.0;
  double sum = 0;
  for (int j = 0; j < n; j++) {
    const double dx = px - x[j], dy = py - y[j], r = sqrt(dx * dx + dy * dy);
    double pull = 1.0 / r;
    if (r == 0) pull = 0;
    sum += pull * sqrt(r) + dx;
  }
  if (i < n) e[i] = sum;
}

// What a thread adds depends on the launch, and on coordinates that a launch of one line does not have.
__global__ void by_extents(double *out, const double *A, const double *x, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < m; j++) {
    const double own = 1.0 + 0.01 * blockDim.x + 0.02 * gridDim.x + 0.03 * threadIdx.x + 0.04 * blockIdx.x;
    sum += A[j * n + i] * x[j] * x[j] * (own + gridDim.z + threadIdx.y);
  }
  out[i] = sum;
}

// Whether there is a buffer, and what is made of more than the launch can tell, decides how far threads go.
__global__ void as_there_is(double *out, const double *x, const double *w, const double *v, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const int a = m + 1, b = a - 1, c = b + 2, d = c - 2, e = d + 3, f = e - 3, g = f + 4, h = g - 4, k = h + 5, l = k - 5;
  const int end = w != nullptr ? m : 2;
  double sum = 0;
  for (int j = 0; j < end; j++) sum += (1.0 + i) * x[j];
  const int half = threadIdx.x / 2;
  if (half < l) sum += v[half] * (2.0 + i);
  out[i] = sum;
}

// What comes before the loop is more than an iteration can do again.
__global__ void long_before(double *out, const double *x, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double w = 0.1 * i;
  w = sin(w) * exp(-w) * cos(w) + sqrt(w + 1) * tan(0.01 * w);
  w = sin(w) * exp(-w) * cos(w) + sqrt(w + 1) * tan(0.01 * w);
  w = sin(w) * exp(-w) * cos(w) + sqrt(w + 1) * tan(0.01 * w);
  w = sin(w) * exp(-w) * cos(w) + sqrt(w + 1) * tan(0.01 * w);
  double sum = 0;
  for (int j = 0; j < m; j++) sum += w * x[j];
  out[i] = sum;
}

__global__ void by_warps(double *out, const double *x, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < m; j++) sum += (j + i / warpSize) * x[j];
  out[i] = sum;
}
