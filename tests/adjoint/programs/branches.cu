// The `if` at the end is reversed where it stands; the one before it is written twice.
__global__ void k(const double *x, double *y, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  double v = x[i];
  if (v > 0) v = sqrt(v);
  y[i] = v * v;
}
