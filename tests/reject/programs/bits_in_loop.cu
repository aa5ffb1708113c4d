// k(x, y)
// CP0310: a loop carries the bits on; what lanes vote on does not.
__global__ void k(const float *x, float *y) {
  int i = threadIdx.x, bits = __float_as_int(x[i]);
  for (int k = 0; k < 3; ++k) bits = __ballot_sync(~0u, bits > k) == 7 ? k : bits + 1;
  y[i] = __int_as_float(bits);
}
