// A number for each row, by a warp: nothing is stored where the rows are read. A row has a multiple of 128 columns.
__device__ inline float over_warp(float value) {
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(0xffffffffu, value, lane);
  return value;
}

__global__ void mean_squares(float *y, const float *x, int rows, int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float4 *own = reinterpret_cast<const float4 *>(x + row * columns);
  float sum = 0.0f;
  for (int i = lane; i < columns / 4; i += 32) {
    const float4 v = own[i];
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  sum = over_warp(sum);
  if (lane == 0) y[row] = sum / columns;
}

__global__ void row_products(float *y, const float *x, const float *w, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = lane; i < columns; i += 32) sum += x[row * columns + i] * w[i];
  sum = over_warp(sum);
  if (lane == 0) y[row] = sum;
}

__global__ void log_sums(float *y, const float *x, int rows, int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *own = x + row * columns;
  float most = own[lane];
  for (int i = lane; i < columns; i += 32) most = fmaxf(most, own[i]);
  for (int other = 16; other > 0; other /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, other));
  float sum = 0.0f;
  for (int i = lane; i < columns; i += 32) sum += expf(own[i] - most);
  sum = over_warp(sum);
  if (lane == 0) y[row] = logf(sum) + most;
}
