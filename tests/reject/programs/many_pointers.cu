// k(x, y)
__global__ void k(const double *x, double *y, int n) {
  const double *rows[17];
  for (int i = 0; i < 17; ++i) rows[i] = x + i * n;
  *y = rows[n % 17][0] * *x;
}
