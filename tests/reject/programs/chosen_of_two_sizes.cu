// k(x, y)
// CP0232
__global__ void k(const float *x, const double *z, float *y, int c) {
  const void *either = c ? (const void *)x : (const void *)z;
  y[threadIdx.x] = ((const float *)either)[threadIdx.x];
}
