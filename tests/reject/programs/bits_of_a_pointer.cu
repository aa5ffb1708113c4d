// k(x, y)
// CP0232
__global__ void k(const double *x, double *y) {
  const double *p = x + 1;
  y[0] = *p * (*reinterpret_cast<const long *>(&p) % 2);
}
