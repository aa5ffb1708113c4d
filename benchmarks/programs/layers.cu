// Layers of networks: a product of matrices with a bias, by tiles, and a convolution with 3 x 3 weights.

// out[rows][columns] = x[rows][depth] w[depth][columns] + b[columns]; all are multiples of 16.
__global__ void linear(float *out, const float *x, const float *w, const float *b, int rows, int columns, int depth) {
  __shared__ float xs[16][16], ws[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k = 0; k < depth; k += 16) {
    xs[ty][tx] = x[row * depth + k + tx];
    ws[ty][tx] = w[(k + ty) * columns + column];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += xs[ty][j] * ws[j][tx];
    __syncthreads();
  }
  out[row * columns + column] = sum + b[column];
}

// out[image][channel] = sum of in[image][k] * w[channel][k] + bias, without padding: out is two smaller.
__global__ void convolution(float *out, const float *in, const float *w, const float *bias, int inputs, int channels,
                            int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int channel = blockIdx.z % channels, image = blockIdx.z / channels;
  if (x >= width - 2 || y >= height - 2) return;
  float sum = bias[channel];
  for (int k = 0; k < inputs; k++)
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        sum += in[((image * inputs + k) * height + y + r) * width + x + c] * w[((channel * inputs + k) * 3 + r) * 3 + c];
  out[((image * channels + channel) * (height - 2) + y) * (width - 2) + x] = sum;
}
