// A loop of one number: its derivative is multiplied as it runs, and nothing is kept.
__global__ void k(const double *x, double *y, const int *n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  double v = x[i];
  for (int j = 0; j < n[i]; ++j) v = sin(v);
  y[i] = v;
}
