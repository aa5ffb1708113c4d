// The thread's own index is the proof for `x`; `z` has neighbours' elements, `v` is read under another condition.
__global__ void k(double *y, const double *x, const double *z, const double *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
  if (i < n) s = x[2 * i] * x[2 * i + 1] + z[i] * z[i + 1];
  if (s > 0.5) s += v[i];
  if (i < n - 1) y[i] = s;
}
