// k(x, y)
// CP0310
__global__ void k(float *x, float *y) {
  int bits = __float_as_int(x[0]);
  y[0] = __int_as_float(bits & 0x7fffffff);
}
