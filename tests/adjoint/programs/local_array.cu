__global__ void k(const double *x, double *y, int n) {
  double a[4] = {1, 2, 3, 4};
  for (int i = 0; i < 4; ++i) a[i] *= x[i];
  y[threadIdx.x] = a[n % 4] * a[0];
}
