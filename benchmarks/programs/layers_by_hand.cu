#include "register_tiles.h"

// ---- the product: two products, and sums over columns ----

// Many blocks for each 32 columns, which add to what starts at zero or at the caller's.
__global__ void column_sums(const float *d_out, int rows, int columns, float *d_b) {
  __shared__ float parts[32][33];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int c = static_cast<int>(blockIdx.x) * 32 + tx;
  float sum = 0.0f;
  if (c < columns)
    for (int row = static_cast<int>(blockIdx.y) * 32 + ty; row < rows; row += static_cast<int>(gridDim.y) * 32)
      sum += d_out[row * columns + c];
  parts[ty][tx] = sum;
  __syncthreads();
  sum = warp_sum(parts[tx][ty]);
  const int out = static_cast<int>(blockIdx.x) * 32 + ty;
  if (tx == 0 && out < columns) atomicAdd(&d_b[out], sum);
}

__global__ void clear_all(float *d, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) d[i] = 0.0f;
}

template <bool Fresh, bool Retiled>
void linear_by_hand(const at &a, float *, const float *x, const float *w, const float *, int rows, int columns,
                    int depth, float *d_out, float *d_x, float *d_w, float *d_b) {
  if (Retiled) {
    product<Fresh, false, true>(a, d_out, w, d_x, rows, depth, columns);
    product<Fresh, true, false>(a, x, d_out, d_w, depth, columns, rows);
  } else {
    const dim3 of_x((depth + 15) / 16, (rows + 15) / 16), of_w((columns + 15) / 16, (depth + 15) / 16);
    LAUNCH_AS(a, of_x, 256, 0, (product_tiles<Fresh, false, true, 16>), d_out, w, d_x, rows, depth, columns);
    LAUNCH_AS(a, of_w, 256, 0, (product_tiles<Fresh, true, false, 16>), x, d_out, d_w, depth, columns, rows);
  }
  LAUNCH_AS(a, dim3((columns + 31) / 32, 8), dim3(32, 32), 0, column_sums, d_out, rows, columns, d_b);
  if (!Fresh) LAUNCH_AS(a, (rows * columns + 255) / 256, 256, 0, clear_all, d_out, rows * columns);
}

// ---- the convolution ----

template <bool Fresh>
__global__ void convolution_inputs(const float *w, int inputs, int channels, int width, int height, const float *d_out,
                                   float *d_in) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int k = static_cast<int>(blockIdx.z) % inputs, image = static_cast<int>(blockIdx.z) / inputs;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int channel = 0; channel < channels; channel++)
#pragma unroll
    for (int r = 0; r < 3; r++)
#pragma unroll
      for (int c = 0; c < 3; c++) {
        const int ox = x - c, oy = y - r;
        if (ox >= 0 && oy >= 0 && ox < width - 2 && oy < height - 2)
          sum += d_out[((image * channels + channel) * (height - 2) + oy) * (width - 2) + ox] *
                 w[((channel * inputs + k) * 3 + r) * 3 + c];
      }
  give<Fresh>(d_in[((image * inputs + k) * height + y) * width + x], sum);
}

// A block for each pair of channels and image: nine sums.
__global__ void convolution_weights(const float *in, int inputs, int channels, int width, int height,
                                    const float *d_out, float *d_w, float *d_bias) {
  const int k = static_cast<int>(blockIdx.x), channel = static_cast<int>(blockIdx.y);
  const int image = static_cast<int>(blockIdx.z), w = width - 2, h = height - 2;
  float sums[9] = {}, bias = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < w * h; i += static_cast<int>(blockDim.x)) {
    const int x = i % w, y = i / w;
    const float d = d_out[(image * channels + channel) * w * h + i];
    bias += d;
#pragma unroll
    for (int r = 0; r < 3; r++)
#pragma unroll
      for (int c = 0; c < 3; c++) sums[3 * r + c] += d * in[((image * inputs + k) * height + y + r) * width + x + c];
  }
#pragma unroll
  for (int m = 0; m < 9; m++) {
    const float sum = block_sum(sums[m]);
    if (threadIdx.x == 0) atomicAdd(&d_w[(channel * inputs + k) * 9 + m], sum);
  }
  bias = block_sum(bias);
  if (threadIdx.x == 0 && k == 0) atomicAdd(&d_bias[channel], bias);
}

template <bool Fresh>
void convolution_by_hand(const at &a, float *, const float *in, const float *w, const float *, int inputs, int channels,
                         int width, int height, float *d_out, float *d_in, float *d_w, float *d_bias) {
  const int images = static_cast<int>(a.grid.z) / channels;
  const dim3 grid((width + a.block.x - 1) / a.block.x, (height + a.block.y - 1) / a.block.y, images * inputs);
  LAUNCH_AS(a, grid, a.block, 0, (convolution_inputs<Fresh>), w, inputs, channels, width, height, d_out, d_in);
  LAUNCH_AS(a, dim3(inputs, channels, images), 256, 0, convolution_weights, in, inputs, channels, width, height, d_out,
            d_w, d_bias);
  const int n = images * channels * (width - 2) * (height - 2);
  if (!Fresh) LAUNCH_AS(a, (n + 255) / 256, 256, 0, clear_all, d_out, n);
}
