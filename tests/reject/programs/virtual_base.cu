// k(x, y)
// CP0130
struct Base { double v; };
struct Left : virtual Base {};
__global__ void k(double *x, double *y) {
  Left left;
  left.v = x[0];
  y[0] = left.v;
}
