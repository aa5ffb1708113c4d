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
