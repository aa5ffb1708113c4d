// k(x, y)
// CP0210: which pointer in memory is looked at is known where it is chosen only.
__global__ void k(double *x, double *y, double **rows, int n) {
  double *p = n > 3 ? rows[n] : x;
  if (p != nullptr) y[0] = *p;
}
