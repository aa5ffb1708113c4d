// Some of the states are kept: an array that each iteration makes anew is no part of them, and what is read of it comes again.
__global__ void k(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i];
  for (int k = 0; k < n; ++k) {
    double t[2] = {v, 1.0};
    for (int j = 0; j < 3; ++j) t[j % 2] = t[0] * t[1];
    v = t[0] - 0.3 * t[1];
  }
  y[i] = v;
}
