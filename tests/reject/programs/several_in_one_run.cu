// k(x, y)
// Each stage reports all that it finds: the front end here.
__global__ void k(double *x, double *y) {
  long double precise = x[0];
  static int calls;
  asm("nop;");
  y[0] = precise;
}
