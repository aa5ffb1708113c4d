// Textures as plain memory: what a kernel is given in place of a cudaTextureObject_t, and the fetches of CUDA's of it, as its
// programming guide defines them, with exact weights where the hardware has those of nine bits. Derivatives follow from the
// text below: those of the memory, and of the coordinates where a texture is filtered.
#ifndef CLADPY_TEXTURES_H
#define CLADPY_TEXTURES_H

#include <cuda_runtime.h>

#include <cmath>

namespace cladpy {

// The values are those of cudaTextureAddressMode and cudaTextureFilterMode.
enum texture_address { texture_wrap = 0, texture_clamp = 1, texture_mirror = 2, texture_border = 3 };
enum texture_filter { texture_point = 0, texture_linear = 1 };

// The texel at (x, y, z) is memory[(z * height + y) * pitch + x]. Layers lie as depth does; what a texture has not, such as
// the height of one of one dimension, is 1. Wrapping and mirroring are for normalized coordinates, as on the hardware: others are
// clamped. The border is zero.
template <class T, int filter = texture_point> struct texture_memory {
  const T *memory;
  int width, height, depth, pitch;
  int address_x, address_y, address_z;
  int normalized;
};

namespace texels {

__device__ inline float mixed(float a, float b, float t) { return (1 - t) * a + t * b; }
__device__ inline float2 mixed(float2 a, float2 b, float t) {
  return make_float2(mixed(a.x, b.x, t), mixed(a.y, b.y, t));
}
__device__ inline float4 mixed(float4 a, float4 b, float t) {
  return make_float4(mixed(a.x, b.x, t), mixed(a.y, b.y, t), mixed(a.z, b.z, t), mixed(a.w, b.w, t));
}

// Of integers there is no filter, and none of doubles, which would be rounded.
template <class T> __device__ T mixed(T, T, float) = delete;

// The index that one outside of [0, size) stands for; -1 for the border.
__device__ inline int placed(int i, int size, int address, int normalized) {
  const int period = normalized && address == texture_mirror ? 2 * size : size;
  const int rest = i % period, within = rest < 0 ? rest + period : rest;
  const int repeated = within < size ? within : period - 1 - within, nearest = i < 0 ? 0 : size - 1;
  const bool repeats = normalized && (address == texture_wrap || address == texture_mirror);
  return i >= 0 && i < size ? i : address == texture_border ? -1 : repeats ? repeated : nearest;
}

// The two indices that a coordinate lies between, and how far it lies towards the second; without a filter there is the first.
struct span {
  int low, high;
  float weight;
};

template <int filter> __device__ inline span spanned(float x, int size, int address, int normalized) {
  if (normalized) x *= size;
  if constexpr (filter == texture_linear) x -= 0.5f;
  const float below = floorf(x);
  const int i = static_cast<int>(fminf(fmaxf(below, -1e9f), 1e9f)); // of what no integer holds, too
  span found{placed(i, size, address, normalized), 0, 0};
  if constexpr (filter == texture_linear) {
    found.high = placed(i + 1, size, address, normalized);
    found.weight = x - below;
  }
  return found;
}

template <class T, int filter>
__device__ inline T at(const texture_memory<T, filter> &texture, int x, int y, int z) {
  if (x < 0 || y < 0 || z < 0) return T{};
  return texture.memory[(static_cast<long long>(z) * texture.height + y) * texture.pitch + x];
}

template <class T, int filter>
__device__ inline T along_x(const texture_memory<T, filter> &texture, const span &x, int y, int z) {
  if constexpr (filter == texture_point) {
    return at(texture, x.low, y, z);
  } else {
    return mixed(at(texture, x.low, y, z), at(texture, x.high, y, z), x.weight);
  }
}

template <class T, int filter>
__device__ inline T along_y(const texture_memory<T, filter> &texture, const span &x, const span &y, int z) {
  if constexpr (filter == texture_point) {
    return along_x(texture, x, y.low, z);
  } else {
    return mixed(along_x(texture, x, y.low, z), along_x(texture, x, y.high, z), y.weight);
  }
}

template <class T, int filter> __device__ inline span in_x(const texture_memory<T, filter> &texture, float x) {
  return spanned<filter>(x, texture.width, texture.address_x, texture.normalized);
}
template <class T, int filter> __device__ inline span in_y(const texture_memory<T, filter> &texture, float y) {
  return spanned<filter>(y, texture.height, texture.address_y, texture.normalized);
}

template <class T, int filter> __device__ inline int layer_of(const texture_memory<T, filter> &texture, int layer) {
  return layer < 0 ? 0 : layer < texture.depth ? layer : texture.depth - 1;
}

} // namespace texels
} // namespace cladpy

// Outside of the memory there are zeros, whatever the address mode.
template <class T, int filter> __device__ inline T tex1Dfetch(const cladpy::texture_memory<T, filter> &texture, int i) {
  return i >= 0 && i < texture.width ? texture.memory[i] : T{};
}
template <class T, int filter> __device__ inline T tex1D(const cladpy::texture_memory<T, filter> &texture, float x) {
  return cladpy::texels::along_x(texture, cladpy::texels::in_x(texture, x), 0, 0);
}
template <class T, int filter>
__device__ inline T tex2D(const cladpy::texture_memory<T, filter> &texture, float x, float y) {
  return cladpy::texels::along_y(texture, cladpy::texels::in_x(texture, x), cladpy::texels::in_y(texture, y), 0);
}
template <class T, int filter>
__device__ inline T tex3D(const cladpy::texture_memory<T, filter> &texture, float x, float y, float z) {
  namespace texels = cladpy::texels;
  const texels::span in_x = texels::in_x(texture, x), in_y = texels::in_y(texture, y);
  const texels::span in_z = texels::spanned<filter>(z, texture.depth, texture.address_z, texture.normalized);
  if constexpr (filter == cladpy::texture_point) {
    return texels::along_y(texture, in_x, in_y, in_z.low);
  } else {
    return texels::mixed(texels::along_y(texture, in_x, in_y, in_z.low),
                         texels::along_y(texture, in_x, in_y, in_z.high), in_z.weight);
  }
}
template <class T, int filter>
__device__ inline T tex1DLayered(const cladpy::texture_memory<T, filter> &texture, float x, int layer) {
  namespace texels = cladpy::texels;
  return texels::along_x(texture, texels::in_x(texture, x), 0, texels::layer_of(texture, layer));
}
template <class T, int filter>
__device__ inline T tex2DLayered(const cladpy::texture_memory<T, filter> &texture, float x, float y, int layer) {
  namespace texels = cladpy::texels;
  return texels::along_y(texture, texels::in_x(texture, x), texels::in_y(texture, y), texels::layer_of(texture, layer));
}

#endif // CLADPY_TEXTURES_H
