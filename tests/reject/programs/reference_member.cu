// k(x, y)
// CP0132
struct Alias {
  double &r;
  __device__ Alias(double &target) : r(target) {}
};
__global__ void k(double *x, double *y) {
  Alias alias(y[0]);
  alias.r = 2 * x[0];
}
