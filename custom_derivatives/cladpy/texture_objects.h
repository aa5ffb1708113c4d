// Texture objects as plain memory: what a program that names cudaTextureObject_t is read and compiled with in place of CUDA's.
// What the texels are, a fetch says; how they are addressed and filtered, the object. Arrays for textures are plain memory as well.
// What is not here, such as mipmaps, surfaces and integers that are read as fractions, has no meaning in terms of these.
#ifndef CLADPY_TEXTURE_OBJECTS_H
#define CLADPY_TEXTURE_OBJECTS_H

#include <cladpy/textures.h>

#include <cstddef>
#include <type_traits>

namespace cladpy {

// Texels are numbers of 32 bits, or two or four of these: `texel` bytes each. All else is as in texture_memory.
struct texture_object {
  const float *memory;
  int width, height, depth, pitch;
  int address_x, address_y, address_z;
  int normalized, filter, texel;

  texture_object() = default;
  __host__ __device__ texture_object(unsigned long long) // 0, for none
      : memory(nullptr), width(0), height(0), depth(0), pitch(0), address_x(0), address_y(0), address_z(0),
        normalized(0), filter(0), texel(0) {}
};

namespace texels {

template <class T, int filter> __device__ inline texture_memory<T, filter> of(const texture_object &object) {
  return {reinterpret_cast<const T *>(object.memory), object.width, object.height, object.depth, object.pitch,
          object.address_x, object.address_y, object.address_z, object.normalized};
}

// A fetch of another type than the texels are of has no answer.
template <class T> __device__ inline void expected(const texture_object &object) {
  if (object.texel != static_cast<int>(sizeof(T))) __trap();
}

template <class T>
constexpr bool filtered = std::is_same_v<T, float> || std::is_same_v<T, float2> || std::is_same_v<T, float4>;

} // namespace texels

enum texture_source_type { texture_of_array = 0, texture_of_line = 2, texture_of_rows = 3 };
enum texture_read_mode { texture_elements = 0 };
enum texture_channel_kind { texture_signed = 0, texture_unsigned = 1, texture_floating = 2 };

struct texture_channels {
  int x, y, z, w;
  texture_channel_kind f;
};

// Layers lie as depth does, and rows one after the other.
struct texture_array {
  float *memory;
  int width, height, depth, texel;

  texture_array() = default;
  texture_array(const texture_array *other) : texture_array(*other) {} // of programs that have `cudaArray *`
};

struct texture_source {
  texture_source_type resType;
  struct {
    struct {
      texture_array array;
    } array;
    struct {
      void *devPtr;
      texture_channels desc;
      std::size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      texture_channels desc;
      std::size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};

struct texture_settings {
  texture_address addressMode[3];
  texture_filter filterMode;
  texture_read_mode readMode;
  int normalizedCoords;
};

inline texture_channels channels_of(int x, int y, int z, int w, texture_channel_kind f) { return {x, y, z, w, f}; }
template <class T> texture_channels channels_of();
#define CLADPY_CHANNELS(type, bits, kind)                                                                              \
  template <> inline texture_channels channels_of<type>() { return {bits, 0, 0, 0, kind}; }                            \
  template <> inline texture_channels channels_of<type##2>() { return {bits, bits, 0, 0, kind}; }                      \
  template <> inline texture_channels channels_of<type##4>() { return {bits, bits, bits, bits, kind}; }
using uint = unsigned int;
using uchar = unsigned char;
CLADPY_CHANNELS(float, 32, texture_floating)
CLADPY_CHANNELS(int, 32, texture_signed)
CLADPY_CHANNELS(uint, 32, texture_unsigned)
CLADPY_CHANNELS(uchar, 8, texture_unsigned)
#undef CLADPY_CHANNELS

inline int texel_of(const texture_channels &channels) { return (channels.x + channels.y + channels.z + channels.w) / 8; }

inline void shaped(texture_object *object, const float *memory, std::size_t width, std::size_t height, int depth,
                   std::size_t pitch, int texel) {
  object->memory = memory;
  object->width = static_cast<int>(width);
  object->height = static_cast<int>(height);
  object->depth = depth;
  object->pitch = static_cast<int>(pitch);
  object->texel = texel;
}

#ifndef __CUDACC_RTC__ // NVRTC has nothing of the host's
inline cudaError_t create_array(texture_array *array, int texel, std::size_t width, std::size_t height,
                                std::size_t depth) {
  if (texel % sizeof(float) != 0) return cudaErrorInvalidValue;
  array->width = static_cast<int>(width);
  array->height = height == 0 ? 1 : static_cast<int>(height);
  array->depth = depth == 0 ? 1 : static_cast<int>(depth);
  array->texel = texel;
  return cudaMalloc(&array->memory, width * array->height * array->depth * texel);
}
#endif

} // namespace cladpy

template <class T> __device__ inline T tex1Dfetch(const cladpy::texture_object &object, int i) {
  cladpy::texels::expected<T>(object);
  return tex1Dfetch<T>(cladpy::texels::of<T, cladpy::texture_point>(object), i);
}
#define CLADPY_FETCH(name, parameters, ...)                                                                            \
  template <class T> __device__ inline T name parameters {                                                             \
    using namespace cladpy;                                                                                            \
    texels::expected<T>(object);                                                                                       \
    if constexpr (texels::filtered<T>) {                                                                               \
      if (object.filter == texture_linear) return name<T>(texels::of<T, texture_linear>(object), __VA_ARGS__);         \
    }                                                                                                                  \
    return name<T>(texels::of<T, texture_point>(object), __VA_ARGS__);                                                 \
  }
CLADPY_FETCH(tex1D, (const cladpy::texture_object &object, float x), x)
CLADPY_FETCH(tex2D, (const cladpy::texture_object &object, float x, float y), x, y)
CLADPY_FETCH(tex3D, (const cladpy::texture_object &object, float x, float y, float z), x, y, z)
CLADPY_FETCH(tex1DLayered, (const cladpy::texture_object &object, float x, int layer), x, layer)
CLADPY_FETCH(tex2DLayered, (const cladpy::texture_object &object, float x, float y, int layer), x, y, layer)
#undef CLADPY_FETCH
// There are no mipmaps here: of whichever level, it is the first.
#define CLADPY_FETCH_OF_LEVEL(name, parameters, ...)                                                                   \
  template <class T> __device__ inline T name##Lod parameters { return name<T>(object, __VA_ARGS__); }
CLADPY_FETCH_OF_LEVEL(tex1D, (const cladpy::texture_object &object, float x, float), x)
CLADPY_FETCH_OF_LEVEL(tex2D, (const cladpy::texture_object &object, float x, float y, float), x, y)
CLADPY_FETCH_OF_LEVEL(tex3D, (const cladpy::texture_object &object, float x, float y, float z, float), x, y, z)
CLADPY_FETCH_OF_LEVEL(tex1DLayered, (const cladpy::texture_object &object, float x, int layer, float), x, layer)
CLADPY_FETCH_OF_LEVEL(tex2DLayered, (const cladpy::texture_object &object, float x, float y, int layer, float), x, y, layer)
#undef CLADPY_FETCH_OF_LEVEL

inline cudaError_t cudaCreateTextureObject(cladpy::texture_object *object, const cladpy::texture_source *source,
                                           const cladpy::texture_settings *settings, const void *) {
  if (source->resType == cladpy::texture_of_line) {
    const auto &line = source->res.linear;
    const int texel = cladpy::texel_of(line.desc);
    const std::size_t width = line.sizeInBytes / texel;
    cladpy::shaped(object, static_cast<const float *>(line.devPtr), width, 1, 1, width, texel);
  } else if (source->resType == cladpy::texture_of_rows) {
    const auto &rows = source->res.pitch2D;
    const int texel = cladpy::texel_of(rows.desc);
    cladpy::shaped(object, static_cast<const float *>(rows.devPtr), rows.width, rows.height, 1,
                   rows.pitchInBytes / texel, texel);
  } else {
    const cladpy::texture_array &array = source->res.array.array;
    cladpy::shaped(object, array.memory, array.width, array.height, array.depth, array.width, array.texel);
  }
  object->address_x = settings->addressMode[0];
  object->address_y = settings->addressMode[1];
  object->address_z = settings->addressMode[2];
  object->normalized = settings->normalizedCoords;
  object->filter = settings->filterMode;
  return cudaSuccess;
}
inline cudaError_t cudaDestroyTextureObject(const cladpy::texture_object &) { return cudaSuccess; }

#ifndef __CUDACC_RTC__
inline cudaError_t cudaMallocArray(cladpy::texture_array *array, const cladpy::texture_channels *channels,
                                   std::size_t width, std::size_t height = 0, unsigned = 0) {
  return cladpy::create_array(array, cladpy::texel_of(*channels), width, height, 1);
}
inline cudaError_t cudaFreeArray(const cladpy::texture_array &array) { return cudaFree(array.memory); }
inline cudaError_t cudaMallocArray(cladpy::texture_array **array, const cladpy::texture_channels *channels,
                                   std::size_t width, std::size_t height = 0, unsigned = 0) {
  *array = new cladpy::texture_array;
  return cudaMallocArray(*array, channels, width, height);
}
inline cudaError_t cudaFreeArray(cladpy::texture_array *array) {
  const cudaError_t error = cudaFree(array->memory);
  delete array;
  return error;
}
inline cudaError_t cudaMemcpy2DToArray(const cladpy::texture_array &array, std::size_t x, std::size_t y,
                                       const void *from, std::size_t pitch, std::size_t width, std::size_t height,
                                       cudaMemcpyKind kind) {
  const std::size_t row = static_cast<std::size_t>(array.width) * array.texel;
  return cudaMemcpy2D(array.memory + (y * row + x) / sizeof(float), row, from, pitch, width, height, kind);
}
inline cudaError_t cudaMemcpyToArray(const cladpy::texture_array &array, std::size_t x, std::size_t y, const void *from,
                                     std::size_t bytes, cudaMemcpyKind kind) {
  const std::size_t row = static_cast<std::size_t>(array.width) * array.texel;
  return cudaMemcpy(array.memory + (y * row + x) / sizeof(float), from, bytes, kind);
}
#endif

#undef cudaReadModeElementType // which stands for HIP's
#define cudaTextureObject_t ::cladpy::texture_object
#define cudaArray_t ::cladpy::texture_array
#define cudaArray ::cladpy::texture_array
#define cudaResourceDesc ::cladpy::texture_source
#define cudaTextureDesc ::cladpy::texture_settings
#define cudaChannelFormatDesc ::cladpy::texture_channels
#define cudaCreateChannelDesc ::cladpy::channels_of
#define cudaResourceTypeArray ::cladpy::texture_of_array
#define cudaResourceTypeLinear ::cladpy::texture_of_line
#define cudaResourceTypePitch2D ::cladpy::texture_of_rows
#define cudaTextureReadMode ::cladpy::texture_read_mode
#define cudaReadModeElementType ::cladpy::texture_elements
#define cudaTextureFilterMode ::cladpy::texture_filter
#define cudaFilterModePoint ::cladpy::texture_point
#define cudaFilterModeLinear ::cladpy::texture_linear
#define cudaTextureAddressMode ::cladpy::texture_address
#define cudaAddressModeWrap ::cladpy::texture_wrap
#define cudaAddressModeClamp ::cladpy::texture_clamp
#define cudaAddressModeMirror ::cladpy::texture_mirror
#define cudaAddressModeBorder ::cladpy::texture_border
#define cudaChannelFormatKind ::cladpy::texture_channel_kind
#define cudaChannelFormatKindFloat ::cladpy::texture_floating
#define cudaChannelFormatKindSigned ::cladpy::texture_signed
#define cudaChannelFormatKindUnsigned ::cladpy::texture_unsigned

#endif // CLADPY_TEXTURE_OBJECTS_H
