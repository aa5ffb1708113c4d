// k(x, y, z)
// CP0310
__global__ void k(const float *x, float *y, float *z) {
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  atomicAdd(z, (float)__float_as_int(x[threadIdx.x]));
}
