// k(x, y)
// CP0220
#include <cstdlib>
__device__ double *either(double *v, int n) { return v + n % 2; }
__device__ void fill(double *v, int n) {
  double *q = (double *)malloc(8);
  if (n == 0) return;
  *either(v, n) = v[n];
  fill(v, n - 1);
}
__global__ void k(const double *x, double *y) {
  y[3] = x[3];
  fill(y, 3);
}
