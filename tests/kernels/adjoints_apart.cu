// What is added to elements of several adjoints, which are all read before the first is written.
struct point {
  double x, y, z;
};

__global__ void three(const double *a, const double *b, const double *c, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a[i] * b[i] * sqrt(c[i]);
}

// One of them twice, and one that is read through another's index.
__global__ void twice(const double *a, const double *b, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a[2 * i] * b[i] + a[2 * i + 1] * b[i] * b[i];
}

__global__ void members(const point *p, const double *b, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = p[i].x * p[i].y * b[i] + p[i].z;
}

// In place: the adjoint that is added to is the one that was taken.
__global__ void in_place(double *a, double *b, const double *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] = a[i] * c[i] + b[i];
  b[i] = b[i] * a[i];
}

// Two adjoints in one branch, and two after it.
__global__ void branched(const double *a, const double *b, const double *c, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = c[i];
  if (i % 2) s += a[i] * b[i];
  y[i] = s * b[i] + (s > 0.5 ? a[i] : 0.0);
}

__global__ void in_loops(const double *a, const double *b, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0.0;
  for (int k = 0; k < m; k++) s = s * 0.5 + a[k * n + i] * b[k * n + i];
  y[i] = s;
}

// What is read after much arithmetic: what is stored in between, and where it is read, may be what is computed.
__global__ void read_late(double *a, const double *b, const int *at, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double s = exp(-b[i]) * sin(b[i]);
  a[i] = s / (1.0 + b[i]);
  const double t = a[i] * log(1.0 + b[i]);
  y[i] = t + b[at[i]] * b[(int)(b[i] * n) % n];
}
