// k(x, y)
__global__ void k(const double *x, double *y, int n) {
  unsigned char c = n;
  *y = *(bool *)&c ? *x : 2 * *x;
}
