// Objects of several numbers: rows of a table in vectors of four, entries of two that hashing finds, and blobs that all pixels
// of a picture are blended of.
__global__ void rows_by_fours(float4 *out, const float4 *table, const float4 *positions, const int *tokens, int length,
                              int columns, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * columns) return;
  const int token = i / columns, column = i % columns;
  const float4 a = table[tokens[token] * columns + column], b = positions[(token % length) * columns + column];
  out[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ inline unsigned place(int x, int y, int size) {
  return (static_cast<unsigned>(x) ^ (static_cast<unsigned>(y) * 2654435761u)) % static_cast<unsigned>(size);
}

__global__ void encoding(const float2 *at, const float2 *table, float2 *out, int size, float cells, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = at[i].x * cells, y = at[i].y * cells;
  const int left = static_cast<int>(floorf(x)), low = static_cast<int>(floorf(y));
  const float right = x - left, high = y - low;
  float2 sum = make_float2(0.0f, 0.0f);
  for (int corner = 0; corner < 4; ++corner) {
    const int dx = corner & 1, dy = corner >> 1;
    const float weight = (dx ? right : 1.0f - right) * (dy ? high : 1.0f - high);
    const float2 entry = table[place(left + dx, low + dy, size)];
    sum.x += weight * entry.x;
    sum.y += weight * entry.y;
  }
  out[i] = sum;
}

// A blob is its middle, the inverse of its covariance (xx, xy, yy) and a colour.
__global__ void blending(const float *blobs, float *picture, int width, int height, int count) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const float x = (column + 0.5f) / width, y = (row + 0.5f) / height;
  float red = 0.0f, green = 0.0f, blue = 0.0f, left = 1.0f;
  for (int k = 0; k < count; ++k) {
    const float *blob = blobs + 8 * k;
    const float dx = x - blob[0], dy = y - blob[1];
    const float opaque = 0.5f * expf(-0.5f * (blob[2] * dx * dx + blob[4] * dy * dy) - blob[3] * dx * dy);
    red += left * opaque * blob[5];
    green += left * opaque * blob[6];
    blue += left * opaque * blob[7];
    left *= 1.0f - opaque;
  }
  float *pixel = picture + 3 * (row * width + column);
  pixel[0] = red;
  pixel[1] = green;
  pixel[2] = blue;
}
