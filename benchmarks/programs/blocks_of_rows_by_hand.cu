// The running sums of the cotangents from the end: by a warp, whose lanes take what lies side by side.
template <bool Fresh>
__global__ void running_sums_back(int rows, int columns, float *d_y, float *d_x) {
  const int row = static_cast<int>(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32), lane = threadIdx.x % 32;
  if (row >= rows) return;
  float before = 0.0f;
  for (int end = columns; end > 0; end -= 32) {
    const int i = end - 1 - lane;
    float sum = i >= 0 ? d_y[row * columns + i] : 0.0f;
    for (int d = 1; d < 32; d *= 2) {
      const float other = __shfl_up_sync(0xffffffffu, sum, d);
      if (lane >= d) sum += other;
    }
    sum += before;
    before = __shfl_sync(0xffffffffu, sum, 31);
    if (i >= 0) {
      give<Fresh>(d_x[row * columns + i], sum);
      spend<Fresh>(d_y[row * columns + i]);
    }
  }
}
template <bool Fresh>
void running_sums_by_hand(const at &a, float *, const float *, int rows, int columns, float *d_y, float *d_x) {
  LAUNCH_AS(a, dim3((rows + 7) / 8), dim3(256), 0, (running_sums_back<Fresh>), rows, columns, d_y, d_x);
}

// What the primal found is not there: the sum is made again, in one pass, with the largest number so far.
template <bool Fresh>
__global__ void smoothed_loss_back(const float *x, const int *labels, int classes, float smoothing, float *d_losses,
                                   float *d_x) {
  __shared__ float mosts[32], sums[32];
  x += blockIdx.x * classes;
  d_x += blockIdx.x * classes;
  float most = -3e38f, sum = 0.0f;
  const int t = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.x);
#pragma unroll 4
  for (int i = t; i < classes; i += step) {
    const float now = fmaxf(most, x[i]);
    sum = sum * expf(most - now) + expf(x[i] - now);
    most = now;
  }
  for (int lane = 16; lane > 0; lane /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, most, lane), many = __shfl_xor_sync(0xffffffffu, sum, lane);
    const float now = fmaxf(most, other);
    sum = sum * expf(most - now) + many * expf(other - now);
    most = now;
  }
  if (t % 32 == 0) mosts[t / 32] = most, sums[t / 32] = sum;
  const float given = d_losses[blockIdx.x];
  __syncthreads();
  const int warps = step / 32;
  float all_most = -3e38f, all = 0.0f;
  for (int i = 0; i < warps; ++i) all_most = fmaxf(all_most, mosts[i]);
  for (int i = 0; i < warps; ++i) all += sums[i] * expf(mosts[i] - all_most);
  if (t == 0) spend<Fresh>(d_losses[blockIdx.x]);
  const int label = labels[blockIdx.x];
  const float scale = given / all, less = given * smoothing / classes, right = given * (1.0f - smoothing);
#pragma unroll 4
  for (int i = t; i < classes; i += step)
    give<Fresh>(d_x[i], scale * expf(x[i] - all_most) - less - (i == label ? right : 0.0f));
}
template <bool Fresh>
void smoothed_loss_by_hand(const at &a, float *, const float *x, const int *labels, int classes, float smoothing,
                           float *d_losses, float *d_x) {
  LAUNCH_AS(a, a.grid, a.block, 0, (smoothed_loss_back<Fresh>), x, labels, classes, smoothing, d_losses, d_x);
}

template <bool Fresh>
__global__ void merged_means_back(const float *x, int rows, int columns, float epsilon, float *d_y, float *d_x) {
  const int row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y), lane = static_cast<int>(threadIdx.x);
  if (row >= rows) return;
  const float4 *own = reinterpret_cast<const float4 *>(x + row * columns);
  float4 *given = reinterpret_cast<float4 *>(d_y + row * columns);
  float4 *result = reinterpret_cast<float4 *>(d_x + row * columns);
  float sum = 0.0f, squares = 0.0f;
  for (int i = lane; i < columns / 4; i += 32) {
    const float4 v = own[i];
    sum += v.x + v.y + v.z + v.w;
  }
  const float mean = warp_sum(sum) / columns;
  float total = 0.0f, by_x = 0.0f;
  for (int i = lane; i < columns / 4; i += 32) {
    const float4 v = own[i], d = given[i];
    squares += (v.x - mean) * (v.x - mean) + (v.y - mean) * (v.y - mean) + (v.z - mean) * (v.z - mean) +
               (v.w - mean) * (v.w - mean);
    total += d.x + d.y + d.z + d.w;
    by_x += d.x * (v.x - mean) + d.y * (v.y - mean) + d.z * (v.z - mean) + d.w * (v.w - mean);
  }
  const float scale = rsqrtf(warp_sum(squares) / columns + epsilon);
  total = warp_sum(total) / columns;
  by_x = warp_sum(by_x) * scale * scale / columns;
  for (int i = lane; i < columns / 4; i += 32) {
    const float4 v = own[i], d = given[i];
    float4 to = Fresh ? make_float4(0.0f, 0.0f, 0.0f, 0.0f) : result[i];
    to.x += scale * (d.x - total - by_x * (v.x - mean));
    to.y += scale * (d.y - total - by_x * (v.y - mean));
    to.z += scale * (d.z - total - by_x * (v.z - mean));
    to.w += scale * (d.w - total - by_x * (v.w - mean));
    result[i] = to;
    spend<Fresh>(given[i]);
  }
}
template <bool Fresh>
void merged_means_by_hand(const at &a, float *, const float *x, int rows, int columns, float epsilon, float *d_y,
                          float *d_x) {
  LAUNCH_AS(a, dim3((rows + a.block.y - 1) / a.block.y), a.block, 0, (merged_means_back<Fresh>), x, rows, columns,
            epsilon, d_y, d_x);
}
