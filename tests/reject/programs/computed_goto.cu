// k(x, y)
// CP0101
__global__ void k(const double *x, double *y, int n) {
  void *next = n ? &&once : &&twice;
  y[0] = x[0];
  goto *next;
twice:
  y[0] *= x[0];
once:
  y[0] *= x[0];
}
