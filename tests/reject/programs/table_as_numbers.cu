// k(x, y)
// CP0232
__global__ void k(double *x, double **rows, double *y) {
  const double *numbers = (const double *)rows;
  y[threadIdx.x] = x[threadIdx.x] * numbers[0];
}
