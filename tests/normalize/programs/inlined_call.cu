// A function that writes through its arguments is inlined; one that only reads global memory is kept.
__device__ void rescale(double &v, double by) {
  if (by == 1) return;
  v *= by;
}
__device__ double at(const double *x, int i) { return x[i] * x[i]; }
__global__ void k(double *x, int n) {
  double v = at(x, n);
  rescale(v, x[1]);
  rescale(x[0], v);
}
