// k(x, y)
// CP0213
__global__ void k(double *x, double *y) {
  char name[4] = "abc";
  y[0] = x[0] * name[1];
}
