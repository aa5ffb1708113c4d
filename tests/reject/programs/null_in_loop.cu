// k(x, y)
__global__ void k(const double *x, double *y, int n) {
  const double *p = nullptr;
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * *p;
  *y = s;
}
