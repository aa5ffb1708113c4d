// Host programs that pass memory on as pointers to void.

__global__ void scaled(const void *x, void *y, double by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) static_cast<double *>(y)[i] = by * static_cast<const double *>(x)[i] * static_cast<const double *>(x)[i];
}

__global__ void added(double *to, const void *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += sin(((const double *)x)[n - 1 - i]);
}

// As other languages call: all memory comes as pointers to void.
extern "C" void called(void *y, const void *x, double by, int n) {
  scaled<<<(n + 31) / 32, 32>>>(x, y, by, n);
  added<<<(n + 31) / 32, 32>>>((double *)y, x, n);
}

// Memory that is allocated without a type, and that kernels alone say the type of.
void through_a_buffer(const double *x, double *y, int n) {
  void *buffer;
  cudaMalloc(&buffer, n * sizeof(double));
  scaled<<<(n + 31) / 32, 32>>>(x, buffer, 0.5, n);
  scaled<<<(n + 31) / 32, 32>>>(buffer, y, 1.5, n);
  added<<<(n + 31) / 32, 32>>>(y, buffer, n);
  cudaFree(buffer);
}

// On the host alone.
static double sum(const void *values, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += ((const float *)values)[i];
  return total;
}

double mean_of_squares(void *values, int n) {
  float *v = (float *)values;
  for (int i = 0; i < n; ++i) v[i] *= v[i];
  return sum(values, n) / n;
}
