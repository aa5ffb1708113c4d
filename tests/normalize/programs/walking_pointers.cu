// A pointer is a root and an offset; where there are several roots, a tag tells which.
__global__ void k(double *x, double *y, int n) {
  const double *p = n > 3 ? x : y;
  double s = 0;
  for (const double *q = x; q != x + n; ++q) s += *q * p[1];
  *y = s;
}
