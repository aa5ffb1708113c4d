// k(x, y)
// CP0232
__global__ void k(const void *x, double *y) {
  int i = threadIdx.x;
  y[i] = ((const float *)x)[i] * ((const double *)x)[i + 8];
}
