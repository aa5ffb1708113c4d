// Long rows, a block of whole warps for each: their softmax, and what a classifier loses.
__device__ float largest_of_block(float value, float *parts) {
  for (int lane = 16; lane > 0; lane >>= 1) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, lane));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (int k = 1; k < blockDim.x / 32; k++) value = fmaxf(value, parts[k]);
  __syncthreads();
  return value;
}

__device__ float sum_of_block(float value, float *parts) {
  for (int lane = 16; lane > 0; lane >>= 1) value += __shfl_xor_sync(0xffffffffu, value, lane);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int k = 0; k < blockDim.x / 32; k++) value += parts[k];
  __syncthreads();
  return value;
}

__global__ void softmax(float *y, const float *x, int columns) {
  __shared__ float parts[32];
  const float *in = x + (size_t)blockIdx.x * columns;
  float largest = -3.4e38f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) largest = fmaxf(largest, in[c]);
  largest = largest_of_block(largest, parts);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(in[c] - largest);
  sum = sum_of_block(sum, parts);
  const float scale = 1.0f / sum;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    y[(size_t)blockIdx.x * columns + c] = expf(in[c] - largest) * scale;
}

// The cross entropy of each row's softmax with its target.
__global__ void cross_entropy(float *loss, const float *x, const int *targets, int columns) {
  __shared__ float parts[32];
  const float *in = x + (size_t)blockIdx.x * columns;
  float largest = -3.4e38f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) largest = fmaxf(largest, in[c]);
  largest = largest_of_block(largest, parts);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(in[c] - largest);
  sum = sum_of_block(sum, parts);
  if (threadIdx.x == 0) loss[blockIdx.x] = largest + logf(sum) - in[targets[blockIdx.x]];
}
