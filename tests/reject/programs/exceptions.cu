// k(x, y)
// CP0103
__device__ double root(double x) {
  if (x < 0) throw x;
  return sqrt(x);
}
__global__ void k(const double *x, double *y) {
  try {
    y[0] = root(x[0]);
  } catch (double negative) {
    y[0] = -negative;
  }
}
