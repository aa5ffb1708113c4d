// A loop whose state is kept for an unknown number of iterations, one inside of it that runs again, and a local array.
__global__ void k(double *y, const double *x, const double *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i], window[4];
  for (int j = 0; j < n; ++j) {
    for (int l = 0; l < 4; ++l) window[l] = sin(s * w[j + l]);
    for (int l = 0; l < 4; ++l) s += window[l] * window[l];
  }
  while (s > 1.0) s = s * s - 1.5 * s;
  y[i] = s;
}
