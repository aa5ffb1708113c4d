// k(x, y)
// CP0210
__global__ void k(double *x, double *y, double *z, int n) {
  double *p = n > 3 ? x : z;
  if (p != nullptr) y[0] = *p;
}
