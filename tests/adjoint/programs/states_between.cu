// k(c, x, y)
__global__ void k(const double *c, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
  for (int j = 0; j < n; ++j) r = r * x[i] + c[j];
  y[i] = r;
}
