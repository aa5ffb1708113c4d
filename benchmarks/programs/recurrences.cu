// A state that each thread carries through a loop.
__global__ void loopn(const double *x, double *y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double v = x[i];
  for (int k = 0; k < n; k++) v = 0.5 * v + 0.3 * sin(v);
  y[i] = v;
}

__global__ void rec(double *out, const double *x, int m, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double s = x[i];
  for (int j = 0; j < m; j++) s = s - 0.1 * s * s;
  out[i] = s;
}
