// k(x, y, z)
// CP0310
__global__ void k(const float *x, int *t, float *y, float *z) {
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  int before = atomicExch(&t[threadIdx.x], __float_as_int(x[threadIdx.x]));
  before = atomicExch(&t[threadIdx.x], before);
  z[threadIdx.x] = __int_as_float(before);
}
