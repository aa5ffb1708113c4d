// Rows that are normalised, each by one warp; a row has a multiple of 32 columns.
__device__ float sum_of_warp(float value) {
  for (int lane = 16; lane > 0; lane >>= 1) value += __shfl_xor_sync(0xffffffffu, value, lane);
  return value;
}

__global__ void layer_norm(float *y, const float *x, const float *w, const float *b, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *in = x + (size_t)row * columns;
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += in[c];
  const float mean = sum_of_warp(sum) / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += 32) squares += (in[c] - mean) * (in[c] - mean);
  const float scale = rsqrtf(sum_of_warp(squares) / columns + 1e-5f);
  for (int c = lane; c < columns; c += 32) y[(size_t)row * columns + c] = (in[c] - mean) * scale * w[c] + b[c];
}

__global__ void rms_norm(float *y, const float *x, const float *w, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *in = x + (size_t)row * columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += 32) squares += in[c] * in[c];
  const float scale = rsqrtf(sum_of_warp(squares) / columns + 1e-5f);
  for (int c = lane; c < columns; c += 32) y[(size_t)row * columns + c] = in[c] * scale * w[c];
}
