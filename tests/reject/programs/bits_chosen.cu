// k(x, y)
// CP0310
__global__ void k(const float *x, float *y) {
  const int bits = __float_as_int(x[threadIdx.x]);
  y[threadIdx.x] = bits < 0 ? x[threadIdx.x] : 1.0f;                 // what decides is no result
  y[threadIdx.x] += __int_as_float(threadIdx.x < 2 ? bits : 0);      // what is chosen is
}
