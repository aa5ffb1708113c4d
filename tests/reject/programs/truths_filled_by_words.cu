// k(x, y)
// CP0232
__global__ void k(const float *x, float *y, bool *seen) {
  ((int *)seen)[threadIdx.x] = 0;
  y[threadIdx.x] = seen[threadIdx.x] ? x[threadIdx.x] : 0.0f;
}
