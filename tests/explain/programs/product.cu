__global__ void k(const float *a, const float *b, float *c, int rows, int columns, int depth) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int j = 0; j < depth; j++) sum += a[row * depth + j] * b[j * columns + column];
  c[row * columns + column] = sum * sum;
}
