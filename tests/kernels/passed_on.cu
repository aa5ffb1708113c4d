// Memory of the caller's that is stored to for the sake of other memory alone: it is put back all the same.
__global__ void moved_on(double *work, const double *x, double *y, int n) {
  __shared__ double s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int k = 0; k < 3; ++k) {
    if (i < n) {
      work[i] = 0.5 * work[i] + x[i] * k;
      s[t] = work[i];
      y[i] += sin(s[t]);
    }
    __syncthreads();
  }
}
__global__ void moved_on_alone(double *work, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s[3];
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    work[i] = x[i] * k;
    s[k % 2] = work[i];
    sum += sin(s[0]) * x[i];
  }
  y[i] = sum;
}
__global__ void moved_between(double *work, double *other, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    work[i] = x[i] * k;
    other[i] = work[i];
    sum += sin(other[i]) * x[i];
    other[i] = 0;
  }
  y[i] = sum;
}
