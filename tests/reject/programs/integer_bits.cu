// k(x, y)
// CP0319: remainders, bits and functions of integers that are differentiated.
__global__ void k(const int *x, int *y, int n) {
  int i = threadIdx.x, detail = x[i] % 2 ? 3 : 4;
  y[i] = x[i] * (n % 3) + detail;
  if (i > 7) y[i] += (x[i] << 1) + ~x[i];
  y[i + n] = __popc(x[i]) + x[i] % 5 + -x[i];
}
