// k(x, y)
__global__ void k(double *x, double *y) {
  int i = 0;
  if (x[0] > 3) goto inside;
  while (++i < 3) {
  inside:
    y[i] = x[i];
  }
  asm volatile("bar.arrive 1, 64;");
}
