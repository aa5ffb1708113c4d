// Vectors are added at once where the device can.
__device__ __forceinline__ void add(float4 *cell, float4 value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(CLADPY_HOST_H)
  atomicAdd(cell, value);
#else
  atomicAdd(&cell->x, value.x);
  atomicAdd(&cell->y, value.y);
  atomicAdd(&cell->z, value.z);
  atomicAdd(&cell->w, value.w);
#endif
}
__device__ __forceinline__ void add(float2 *cell, float x, float y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(CLADPY_HOST_H)
  atomicAdd(cell, make_float2(x, y));
#else
  atomicAdd(&cell->x, x);
  atomicAdd(&cell->y, y);
#endif
}

template <bool Fresh>
__global__ void rows_back(const int *tokens, int length, int columns, int count, float4 *d_out, float4 *d_table,
                          float4 *d_positions) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count * columns) return;
  const int token = i / columns, column = i % columns;
  const float4 given = d_out[i];
  add(&d_table[tokens[token] * columns + column], given);
  add(&d_positions[(token % length) * columns + column], given);
  spend<Fresh>(d_out[i]);
}
template <bool Fresh>
void rows_by_hand(const at &a, float4 *, const float4 *, const float4 *, const int *tokens, int length, int columns,
                  int count, float4 *d_out, float4 *d_table, float4 *d_positions) {
  LAUNCH(a, (rows_back<Fresh>), tokens, length, columns, count, d_out, d_table, d_positions);
}

template <bool Fresh>
__global__ void encoding_back(const float2 *at, int size, float cells, int count, float2 *d_table, float2 *d_out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float x = at[i].x * cells, y = at[i].y * cells;
  const int left = static_cast<int>(floorf(x)), low = static_cast<int>(floorf(y));
  const float right = x - left, high = y - low;
  const float2 given = d_out[i];
  for (int corner = 0; corner < 4; ++corner) {
    const int dx = corner & 1, dy = corner >> 1;
    const float weight = (dx ? right : 1.0f - right) * (dy ? high : 1.0f - high);
    add(&d_table[(unsigned(left + dx) ^ unsigned(low + dy) * 2654435761u) % unsigned(size)], weight * given.x, weight * given.y);
  }
  spend<Fresh>(d_out[i]);
}
template <bool Fresh>
void encoding_by_hand(const at &a, const float2 *at, const float2 *, float2 *, int size, float cells, int count,
                      float2 *d_table, float2 *d_out) {
  LAUNCH(a, (encoding_back<Fresh>), at, size, cells, count, d_table, d_out);
}

// From the last blob to the first, as the light left before each is what is behind it divided by what it lets through; a warp
// sums what its pixels give to a number of a blob.
template <bool Fresh>
__global__ void blending_back(const float *blobs, int width, int height, int count, float *d_blobs, float *d_picture) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const bool inside = column < width && row < height;
  const float x = (column + 0.5f) / width, y = (row + 0.5f) / height;
  float *pixel = d_picture + 3 * (row * width + column);
  const float red = inside ? pixel[0] : 0.0f, green = inside ? pixel[1] : 0.0f, blue = inside ? pixel[2] : 0.0f;
  float left = 1.0f;
  for (int k = 0; k < count; ++k) {
    const float *blob = blobs + 8 * k;
    const float dx = x - blob[0], dy = y - blob[1];
    left *= 1.0f - 0.5f * expf(-0.5f * (blob[2] * dx * dx + blob[4] * dy * dy) - blob[3] * dx * dy);
  }
  float behind = 0.0f;
  for (int k = count - 1; k >= 0; --k) {
    const float *blob = blobs + 8 * k;
    const float dx = x - blob[0], dy = y - blob[1];
    const float opaque = 0.5f * expf(-0.5f * (blob[2] * dx * dx + blob[4] * dy * dy) - blob[3] * dx * dy);
    left /= 1.0f - opaque;
    const float colour = red * blob[5] + green * blob[6] + blue * blob[7];
    const float d_power = opaque * left * (colour - behind);
    behind = opaque * colour + (1.0f - opaque) * behind;
    const float d[8] = {d_power * (blob[2] * dx + blob[3] * dy),
                        d_power * (blob[4] * dy + blob[3] * dx),
                        -0.5f * d_power * dx * dx,
                        -d_power * dx * dy,
                        -0.5f * d_power * dy * dy,
                        left * opaque * red,
                        left * opaque * green,
                        left * opaque * blue};
    for (int i = 0; i < 8; ++i) {
      const float sum = warp_sum(d[i]);
      if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0) atomicAdd(d_blobs + 8 * k + i, sum);
    }
  }
  if (inside)
    for (int i = 0; i < 3; ++i) spend<Fresh>(pixel[i]);
}
template <bool Fresh>
void blending_by_hand(const at &a, const float *blobs, float *, int width, int height, int count, float *d_blobs,
                      float *d_picture) {
  LAUNCH(a, (blending_back<Fresh>), blobs, width, height, count, d_blobs, d_picture);
}
