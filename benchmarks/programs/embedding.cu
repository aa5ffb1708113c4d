// Rows of a table by number, and of another by position.
__global__ void embedding(float *out, const float *table, const float *positions, const int *tokens, int length,
                          int columns, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * columns) return;
  const int token = i / columns, column = i % columns;
  out[i] = table[tokens[token] * columns + column] + positions[(token % length) * columns + column];
}
