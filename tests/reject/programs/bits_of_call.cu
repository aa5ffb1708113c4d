// k(x, y, z)
// CP0310
__device__ void give(const float *x, int *t, int depth) {
  if (depth > 0)
    give(x, t, depth - 1);
  else
    *t = *(const int *)x;
}
__global__ void k(const float *x, int *t, float *y, float *z) {
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  give(x + threadIdx.x, t + threadIdx.x, 2);
  z[threadIdx.x] = __int_as_float(t[threadIdx.x]);
}
