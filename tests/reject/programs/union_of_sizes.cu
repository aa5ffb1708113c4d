// k(x, y)
// CP0230
union Number {
  double d;
  int i;
};
__global__ void k(double *x, double *y) {
  Number n;
  n.i = 3;
  n.d = x[0];
  y[0] = n.d;
}
