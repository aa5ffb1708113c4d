// Each kind of update, and what proves it or is in the way of a proof.
__global__ void k(double *y, const double *x, const double *w, const int *idx, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i] + x[idx[i]];
  y[i] = a * s * w[0];
}
