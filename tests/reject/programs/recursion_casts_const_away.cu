// k(x, y)
// CP0220
__device__ double *either(double *v, int n) { return v + n % 2; }
__device__ double chain(const double *w, int n, double a) {
  double t[2] = {a, w[n]};
  const double *seen = t;
  double *changed = (double *)seen;
  changed[0] *= 2;
  *either(t, n) += 1;
  return n ? chain(w, n - 1, t[0] * t[1]) : t[0] * t[1];
}
__global__ void k(const double *x, double *y) { y[0] = chain(x, 3, x[0]); }
