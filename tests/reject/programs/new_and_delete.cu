// k(x, y)
__global__ void k(double *x, double *y) {
  double *p = new double[2];
  y[0] = x[0];
  delete[] p;
}
