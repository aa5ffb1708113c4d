// k(x, y)
// CP0225
__global__ void k(float *x, float *y) {
  int *bits = (int *)y, old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(x[threadIdx.x], __int_as_float(assumed))));
  } while (assumed != old);
}
