// Values that are infinite or not a number for some threads, which then do not use them: nor does the gradient.

__device__ double product(double v) { return v * sqrt(v); }

__global__ void replaced(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i] - 0.7, t = product(v);
  if (v < 0.0) t = 2.0 * v;
  y[i] = t;
}

__global__ void chosen(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] - 0.7 : 0.0;
  double root = sqrt(v), up = exp(root * 40.0) * root, u = fma(root, root, sin(root)) + up * 1e-9;
  if (i < n) y[i] = v > 0.0 ? u : v * v;
}

__global__ void stored_over(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i] - 0.7;
  y[i] = v * log(v);
  if (v <= 0.0) y[i] = 3.0 * v;
}

// Only the last one stays.
__global__ void last_one(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double t = 0.0;
  for (int k = 0; k <= i && k < n; ++k) t = (x[k] - 0.7) * sqrt(x[k] - 0.7);
  if (i < n) y[i] = isnan(t) ? x[i] : t;
}

// The usual sum over others, which leaves out oneself at distance zero.
__global__ void others(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0;
  for (int j = 0; j < n; ++j) {
    double d = x[j] - x[i], inverse = rsqrt(d * d), force = d * inverse * inverse * inverse;
    if (j == i) force = 0.0;
    sum += force;
  }
  y[i] = sum;
}

__global__ void in_shared_memory(const double *x, double *y, int n) {
  __shared__ double s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] - 0.7 : -1.0;
  s[threadIdx.x] = v * v / (v + fabs(v));
  __syncthreads();
  double other = s[threadIdx.x ^ 1];
  if (i < n) y[i] = isfinite(other) ? other * other * other : v;
}

// Planes of n numbers each, of which none lies on another; a plane may lie on another where nothing says how long they are.
__global__ void planes(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = rsqrt(x[i]);
  y[i] = x[i] * r;
  y[n + i] = r * r;
  y[5 * n + i] = r - x[i];
}

__global__ void planes_on_each_other(const double *x, double *y, int stride, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i] - 0.7, t = v * sqrt(v);
  y[i] = t;
  y[i + stride] = x[i] * x[i];
}

// A function that is called writes what may be infinite; where that is so, nobody chooses what is made of it.
__device__ void inverses(const double *x, double *t, int left) {
  if (left == 0) return;
  t[left - 1] = 1.0 / x[left - 1];
  inverses(x, t, left - 1);
}

__global__ void infinite_by_a_call(const double *x, double *t, const double *z, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  inverses(x + 4 * i, t + 4 * i, 4);
  double product = t[4 * i + 1] * z[i];
  y[i] = x[4 * i] > 0.0 ? product : z[i];
  t[4 * i + 1] = 0.0;
}
