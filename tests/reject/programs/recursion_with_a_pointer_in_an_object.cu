// k(x, y)
// CP0220
struct View {
  double *p;
};
__device__ void fill(View w, double *v, int n) {
  if (n == 0) return;
  w.p[n] = v[0];
  fill(w, v, n - 1);
}
__global__ void k(const double *x, double *y) {
  View w{y};
  double v = x[0];
  fill(w, &v, 3);
}
