// k(x, y)
// CP0112
__global__ void k(const double *x, double *y) {
  long double extended = x[0];
  __int128 wide = 1;
  y[0] = extended * double(wide);
}
