// k(x, y)
// CP0220: the object is the caller's.
struct Sum {
  double total;
};
__device__ void add(Sum &s, const double *x, int n) {
  if (n < 0) return;
  s.total += x[n] * x[n];
  add(s, x, n - 1);
}
__global__ void k(double *x, double *y, int n) {
  Sum s = {0.0};
  add(s, x, n);
  y[0] = s.total;
}
