// k(x, y, z)
// CP0225
__global__ void k(float *x, float *y, float *z) {
  z[threadIdx.x] = __int_as_float(atomicExch((int *)&y[threadIdx.x], 0)) * x[threadIdx.x];
}
