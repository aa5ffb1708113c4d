// f(x, a)
// CP0506: a device function that is differentiated by itself, with a loop that is too dear to be run again.
__device__ double f(double x, const double *a, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) x = sin(x) * cos(x + a[j]);
  return x;
}
