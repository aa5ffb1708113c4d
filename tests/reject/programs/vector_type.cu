// k(x, y)
__global__ void k(float4 *x, float *y) {
  float4 v = x[threadIdx.x];
  y[threadIdx.x] = v.x * v.y;
}
