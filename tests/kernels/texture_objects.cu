// Texture objects, unchanged: the memory behind them, and what they are, come with the call.

__global__ void fetched(cudaTextureObject_t table, cudaTextureObject_t quads, cudaTextureObject_t at, const float *x,
                        float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 quad = tex1Dfetch<float4>(quads, i - 1);
  y[i] = x[i] * tex1Dfetch<float>(table, tex1Dfetch<int>(at, i)) + quad.x * quad.w;
}

__device__ float along(cudaTextureObject_t line, float at) { return tex1D<float>(line, at); }

__global__ void in_two(cudaTextureObject_t image, cudaTextureObject_t line, const float *x, const float *v, float *y,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 texel = tex2D<float2>(image, x[i], v[i]);
  y[i] = texel.x * texel.y * along(line, v[i]);
}

__global__ void in_three(cudaTextureObject_t volume, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = tex3D<float>(volume, x[i], 1.5f, x[i] * x[i]) * tex2DLayered<float>(volume, x[i], 0.75f, i) +
         tex1DLayered<float>(volume, x[i], i - 1);
}

// Of a texture without mipmaps there is one level, whichever is asked for, and by whichever number.
__global__ void of_levels(cudaTextureObject_t image, cudaTextureObject_t line, const float *x, const float *v, float *y,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 texel = tex2DLod<float2>(image, x[i], 1 - v[i], v[i]);
  y[i] = texel.x * texel.y * tex1DLod<float>(line, v[i], 2.5f);
}
