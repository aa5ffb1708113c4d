__global__ void k(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (i == 3) continue;
    if (x[i] > 9) break;
    s += x[i];
  }
  x[0] = s;
}
