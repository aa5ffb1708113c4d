// k(x, y)
struct One { double v; };
__global__ void k(const double *x, double *y) {
  double d = *x;
  *y = reinterpret_cast<One *>(&d)->v * d;
}
