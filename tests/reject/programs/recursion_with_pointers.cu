// k(x, y)
// CP0220: the other way to it.
struct Slice {
  const double *data;
  int count;
};
__device__ double last(Slice s, int n) { return n ? last(s, n - 1) * 2 : s.data[0]; }
__global__ void k(double *x, double *y, int n) {
  Slice s = {x, n};
  y[0] = last(s, n);
}
