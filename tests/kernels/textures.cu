#include <cladpy/textures.h>

template <class T> using point = cladpy::texture_memory<T>;
template <class T> using linear = cladpy::texture_memory<T, cladpy::texture_linear>;

__global__ void fetched(point<float> table, point<float4> quads, point<int> at, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 quad = tex1Dfetch<float4>(quads, i - 1);
  y[i] = x[i] * tex1Dfetch<float>(table, tex1Dfetch<int>(at, i)) + quad.x * quad.w;
}

__global__ void nearest(point<float> image, point<float> layers, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = tex2D<float>(image, x[i], 0.3f * i) * tex3D<float>(layers, x[i], 1.5f, 0.5f * i) * x[i] +
         tex1DLayered<float>(layers, x[i], i);
}

__device__ float of_line(const linear<float> &line, float at) { return tex1D<float>(line, at); }

__global__ void in_one(linear<float> line, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * of_line(line, x[i]);
}

__global__ void in_two(linear<float2> image, const float *x, const float *v, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 texel = tex2D<float2>(image, x[i], v[i]);
  y[i] = texel.x * texel.y;
}

__global__ void in_three(linear<float> volume, const float *x, const float *v, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = tex3D<float>(volume, x[i], v[i], x[i] * v[i]) * tex2DLayered<float>(volume, v[i], x[i], i - 1);
}
