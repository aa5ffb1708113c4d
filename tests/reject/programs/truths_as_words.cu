// k(x, y)
// CP0232
__global__ void k(const float *x, float *y, bool *seen) {
  y[threadIdx.x] = x[threadIdx.x] * ((const int *)seen)[threadIdx.x];
}
