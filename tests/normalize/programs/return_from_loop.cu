// A return inside of a loop raises a flag, which ends the loop and skips what follows it.
__device__ double k(const double *x, int n) {
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0) return x[i];
  }
  return 1;
}
