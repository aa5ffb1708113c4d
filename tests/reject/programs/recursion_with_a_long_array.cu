// k(x, y)
// CP0222: an array of more than 64 numbers is not copied for a call.
__device__ double last(const double *p, int n) { return n ? last(p, n - 1) * 2 : *p; }
__global__ void k(double *x, double *y, int n) {
  double p[65] = {x[0]};
  y[0] = last(p, n);
}
