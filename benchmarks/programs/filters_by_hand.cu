// The cotangents go through the filter as the image did, with the taps from the other end. Where they are to be zeroed,
// that is done afterwards: other blocks read them before.

template <bool Fresh>
__global__ void filter_back(const float *in, const float *taps, int rows, int columns, const float *d_out,
                            float *d_in) {
  __shared__ float tile[26][26], between[26][16];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int left = static_cast<int>(blockIdx.x) * 16, top = static_cast<int>(blockIdx.y) * 16;
  for (int k = ty * 16 + tx; k < 26 * 26; k += 256) {
    const int r = top + k / 26 - 5, c = left + k % 26 - 5;
    tile[k / 26][k % 26] = r >= 0 && r < rows && c >= 0 && c < columns ? d_out[r * columns + c] : 0.0f;
  }
  __syncthreads();
  for (int r = ty; r < 26; r += 16) {
    float sum = 0.0f;
    for (int j = 0; j < 11; j++) sum += taps[10 - j] * tile[r][tx + j];
    between[r][tx] = sum;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int j = 0; j < 11; j++) sum += taps[10 - j] * between[ty + j][tx];
  const int i = (top + ty) * columns + left + tx;
  if (top + ty < rows && left + tx < columns) give<Fresh>(d_in[i], 2.0f * in[i] * sum);
}

template <bool Fresh>
void filter_by_hand(const at &a, float *, const float *in, const float *taps, int rows, int columns, float *d_out,
                    float *d_in) {
  LAUNCH(a, (filter_back<Fresh>), in, taps, rows, columns, d_out, d_in);
  if (!Fresh) (void)cudaMemsetAsync(d_out, 0, sizeof(float) * rows * columns, a.stream);
}
