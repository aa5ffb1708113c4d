// A loop that is too dear to be run again: a frame per iteration, in the workspace; a launch counts before.
__global__ void k(const double *x, const double *w, double *y, const int *n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  double v = x[i];
  for (int j = 0; j < n[i]; ++j)
    for (int l = 0; l < 4; ++l) v = sin(v) * cos(v + w[j + l]);
  y[i] = v;
}
