// k(x, rows, y)
// CP0233
__global__ void k(double *x, double **rows, double *y) {
  rows[1] = x;
  y[0] = rows[1][0];
}
