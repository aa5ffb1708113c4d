// f(x)
// CP0506: a device function that is differentiated by itself.
__device__ double f(double x, int n) {
  for (int i = 0; i < n; ++i) x = sin(x);
  return x;
}
