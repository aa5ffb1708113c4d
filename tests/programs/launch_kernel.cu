// A launch without <<<...>>>: the arguments' addresses in an array.
template <class T>
__global__ void scaled_square(T *y, const T *x, T a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = a * x[i] * x[i];
}

double weighted(const double *x, double a, int n) {
  double *in, *out;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemcpy(in, x, n * sizeof(double), cudaMemcpyHostToDevice);
  void *args[] = {&out, &in, &a, &n};
  const cudaError_t error = cudaLaunchKernel(scaled_square<double>, dim3((n + 31) / 32), dim3(32), args, 0, 0);
  if (error != cudaSuccess) return 0;
  double *host = new double[n];
  cudaMemcpy(host, out, n * sizeof(double), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += host[i] * (i + 1);
  delete[] host;
  cudaFree(in);
  cudaFree(out);
  return sum;
}

// By addresses that have lost their type.
template <class T> __global__ void added(T *y, T a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] * y[i] * a + y[i];
}

void by_address(double *y, double a, int n) {
  void *args[] = {&y, &a, &n};
  cudaLaunchKernel((void *)added<double>, dim3((n + 31) / 32), dim3(32), args, 0, 0);
  cudaLaunchKernel(reinterpret_cast<const void *>(&added<double>), dim3((n + 31) / 32), dim3(32), args, 0, 0);
}
