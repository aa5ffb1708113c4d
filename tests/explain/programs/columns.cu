__global__ void k(double *out, const double *A, const double *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < n; j++) sum += A[j * n + i] * x[j] * x[i];
  out[i] = sum;
}
