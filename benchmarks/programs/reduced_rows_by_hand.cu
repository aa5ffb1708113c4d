template <bool Fresh>
__global__ void mean_squares_back(const float *x, int rows, int columns, float *d_y, float *d_x) {
  const int row = static_cast<int>(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32), lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float given = 2.0f * d_y[row] / columns;
  __syncwarp();
  if (lane == 0) spend<Fresh>(d_y[row]);
  const float4 *own = reinterpret_cast<const float4 *>(x + row * columns);
  float4 *d_own = reinterpret_cast<float4 *>(d_x + row * columns);
  for (int i = lane; i < columns / 4; i += 32) {
    const float4 v = own[i];
    float4 sum = Fresh ? make_float4(0.0f, 0.0f, 0.0f, 0.0f) : d_own[i];
    sum.x += given * v.x;
    sum.y += given * v.y;
    sum.z += given * v.z;
    sum.w += given * v.w;
    d_own[i] = sum;
  }
}
template <bool Fresh>
void mean_squares_by_hand(const at &a, float *, const float *x, int rows, int columns, float *d_y, float *d_x) {
  LAUNCH(a, (mean_squares_back<Fresh>), x, rows, columns, d_y, d_x);
}

// A block goes over many rows with a sum for each of its columns, which its threads own, and adds these in the end.
template <bool Fresh>
__global__ void row_products_back(const float *x, const float *w, int rows, int columns, const float *d_y, float *d_x,
                                  float *d_w) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= columns) return;
  const float factor = w[column];
  float sum = 0.0f;
#pragma unroll 8
  for (int row = static_cast<int>(blockIdx.y); row < rows; row += static_cast<int>(gridDim.y)) {
    const float given = d_y[row];
    sum += given * x[row * columns + column];
    give<Fresh>(d_x[row * columns + column], given * factor);
  }
  atomicAdd(&d_w[column], sum);
}
template <bool Fresh>
__global__ void all_spent(int rows, float *d_y) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row < rows) spend<Fresh>(d_y[row]);
}
template <bool Fresh>
void row_products_by_hand(const at &a, float *, const float *x, const float *w, int rows, int columns, float *d_y,
                          float *d_x, float *d_w) {
  const dim3 grid((columns + 255) / 256, 512);
  LAUNCH_AS(a, grid, dim3(256), 0, (row_products_back<Fresh>), x, w, rows, columns, d_y, d_x, d_w);
  if (!Fresh) LAUNCH_AS(a, dim3((rows + 255) / 256), dim3(256), 0, (all_spent<Fresh>), rows, d_y);
}

// What the primal gave is not there: it sums again.
template <bool Fresh>
__global__ void log_sums_back(const float *x, int rows, int columns, float *d_y, float *d_x) {
  const int row = static_cast<int>(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32), lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *own = x + row * columns;
  float most = own[lane];
  for (int i = lane; i < columns; i += 32) most = fmaxf(most, own[i]);
  for (int other = 16; other > 0; other /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, other));
  float sum = 0.0f;
  for (int i = lane; i < columns; i += 32) sum += expf(own[i] - most);
  const float given = d_y[row] / warp_sum(sum);
  __syncwarp();
  if (lane == 0) spend<Fresh>(d_y[row]);
  for (int i = lane; i < columns; i += 32) give<Fresh>(d_x[row * columns + i], given * expf(own[i] - most));
}
template <bool Fresh>
void log_sums_by_hand(const at &a, float *, const float *x, int rows, int columns, float *d_y, float *d_x) {
  LAUNCH(a, (log_sums_back<Fresh>), x, rows, columns, d_y, d_x);
}
