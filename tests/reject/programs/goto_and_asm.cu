// k(x, y)
__global__ void k(double *x, double *y) {
  int i = 0;
again:
  y[i] = x[i];
  if (++i < 3) goto again;
  asm volatile("bar.arrive 1, 64;");
}
