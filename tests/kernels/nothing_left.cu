// An element that is stored to itself, as all that is done with an array, and beside other uses of it: no parameter may
// stay that nothing asks for.
__global__ void to_itself(double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i];
}
__global__ void to_itself_beside(const double *x, double *y, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = y[i];
  z[i] = x[i] * x[i];
}
__global__ void to_itself_again(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = y[i];
  y[i] = y[i] * x[i];
  y[i] = y[i];
}
