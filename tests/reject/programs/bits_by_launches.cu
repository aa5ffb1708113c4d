// f(x, y, z)
// CP0310
__global__ void keys(const float *x, unsigned *t, float *y) {
  t[threadIdx.x] = __float_as_uint(x[threadIdx.x]);
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
__global__ void values(const unsigned *t, float *z) { z[threadIdx.x] = __uint_as_float(t[threadIdx.x]); }
void f(const float *x, unsigned *t, float *y, float *z) {
  keys<<<1, 32>>>(x, t, y);
  values<<<1, 32>>>(t, z);
}
