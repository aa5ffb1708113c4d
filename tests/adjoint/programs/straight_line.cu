__global__ void k(const double *x, double *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  double a = x[i];
  double b = a * a;
  y[i] = sin(b) / a;
}
