// Words of several small integers.

__global__ void words_of_integers(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool first, high, low;
  int most = __vibmax_s32(3 * i - 40, 20 - i, &first);
  unsigned halves = __vibmin_s16x2(i | 30 << 16, 25 | (i / 2) << 16, &high, &low);
  unsigned bytes = __vadd4(__vmaxu4(i, 0x01020304u), __vcmpgtu4(i, 9u));
  double t = x[i] * most;
  if (first) t *= x[(i + halves) % n];
  if (high != low) t += sin(x[i]) * __dp4a(int(bytes), 0x01010101, 3);
  y[i] = t * x[__viaddmin_s32_relu(i, -7, n - 1)];
}
