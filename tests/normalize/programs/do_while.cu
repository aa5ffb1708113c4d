__global__ void k(double *x) {
  double v = x[0];
  do v *= 0.5; while (v > 1);
  x[0] = v;
}
