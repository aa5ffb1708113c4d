__device__ __forceinline__ float block_largest(float value) {
  __shared__ float parts[32];
  const int t = static_cast<int>(threadIdx.x), warps = static_cast<int>(blockDim.x) / 32;
  for (int lane = 16; lane > 0; lane >>= 1) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, lane));
  if (t % 32 == 0) parts[t / 32] = value;
  __syncthreads();
  value = t % 32 < warps ? parts[t % 32] : -3.4e38f;
  for (int lane = 16; lane > 0; lane >>= 1) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, lane));
  return value;
}

// The largest of a row and the sum of its exponentials in one pass: each thread rescales its sum where need be.
__device__ __forceinline__ void row_of_block(const float *in, int columns, float &largest, float &sum) {
  float own = -3.4e38f, part = 0.0f;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    const float v = in[c];
    if (v > own) {
      part *= expf(own - v);
      own = v;
    }
    part += expf(v - own);
  }
  largest = block_largest(own);
  sum = block_sum(part * expf(own - largest));
}

template <bool Fresh>
__global__ void softmax_back(const float *x, int columns, float *d_y, float *d_x) {
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  float largest, sum, dot = 0.0f;
  row_of_block(x + first, columns, largest, sum);
  const float scale = 1.0f / sum;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x))
    dot += expf(x[first + c] - largest) * d_y[first + c];
  dot = block_sum(dot) * scale;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    give<Fresh>(d_x[first + c], expf(x[first + c] - largest) * scale * (d_y[first + c] - dot));
    spend<Fresh>(d_y[first + c]);
  }
}

template <bool Fresh>
void softmax_by_hand(const at &a, float *, const float *x, int columns, float *d_y, float *d_x) {
  LAUNCH(a, (softmax_back<Fresh>), x, columns, d_y, d_x);
}

template <bool Fresh>
__global__ void cross_entropy_back(const float *x, const int *targets, int columns, float *d_loss, float *d_x) {
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  const float d = d_loss[blockIdx.x];
  const int target = targets[blockIdx.x];
  float largest, sum;
  row_of_block(x + first, columns, largest, sum);
  const float scale = d / sum;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x))
    give<Fresh>(d_x[first + c], expf(x[first + c] - largest) * scale - (c == target ? d : 0.0f));
  if (!Fresh) {
    __syncthreads();
    if (threadIdx.x == 0) d_loss[blockIdx.x] = 0.0f;
  }
}

template <bool Fresh>
void cross_entropy_by_hand(const at &a, float *, const float *x, const int *targets, int columns, float *d_loss,
                           float *d_x) {
  LAUNCH(a, (cross_entropy_back<Fresh>), x, targets, columns, d_loss, d_x);
}
