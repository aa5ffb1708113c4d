__global__ void k(double *x, int i) {
  double a[2][3] = {{1, 2}, {3}};
  a[i][1] += x[i];
  x[0] = a[1][i];
}
