__global__ void k(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < row && row < n) {
    float sum = 0;
    for (int j = 0; j < n; j++) sum += a[row * n + j] * b[j * n + column];
    c[row * n + column] = sum;
  }
}
