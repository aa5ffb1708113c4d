// Filters of images in two passes, by tiles in shared memory.

// The sum of squares around each pixel, weighted by eleven taps along rows and columns; outside of the image is zero.
__global__ void filter(float *out, const float *in, const float *taps, int rows, int columns) {
  __shared__ float tile[26][26], between[26][16];
  const int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 16, top = blockIdx.y * 16;
  for (int k = ty * 16 + tx; k < 26 * 26; k += 256) {
    const int r = top + k / 26 - 5, c = left + k % 26 - 5;
    tile[k / 26][k % 26] = r >= 0 && r < rows && c >= 0 && c < columns ? in[r * columns + c] : 0.0f;
  }
  __syncthreads();
  for (int r = ty; r < 26; r += 16) {
    float sum = 0.0f;
    for (int j = 0; j < 11; j++) sum += taps[j] * tile[r][tx + j] * tile[r][tx + j];
    between[r][tx] = sum;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int j = 0; j < 11; j++) sum += taps[j] * between[ty + j][tx];
  if (top + ty < rows && left + tx < columns) out[(top + ty) * columns + left + tx] = sum;
}
