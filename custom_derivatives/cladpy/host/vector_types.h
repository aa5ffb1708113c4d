// CUDA's vector types, dim3 and the built-in variables. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_VECTOR_TYPES_H
#define CLADPY_HOST_VECTOR_TYPES_H

// Alignment is the size of the vector, at most 16 bytes, where the size is a power of two; else the element's.
#define CLADPY_HOST_VECTORS(T, name, align2, align4)                                                                   \
  struct name##1 {                                                                                                     \
    T x;                                                                                                               \
  };                                                                                                                   \
  struct alignas(align2) name##2 {                                                                                     \
    T x, y;                                                                                                            \
  };                                                                                                                   \
  struct name##3 {                                                                                                     \
    T x, y, z;                                                                                                         \
  };                                                                                                                   \
  struct alignas(align4) name##4 {                                                                                     \
    T x, y, z, w;                                                                                                      \
  };                                                                                                                   \
  constexpr name##1 make_##name##1(T x) { return {x}; }                                                                \
  constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                                                        \
  constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                                                \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

CLADPY_HOST_VECTORS(signed char, char, 2, 4)
CLADPY_HOST_VECTORS(unsigned char, uchar, 2, 4)
CLADPY_HOST_VECTORS(short, short, 4, 8)
CLADPY_HOST_VECTORS(unsigned short, ushort, 4, 8)
CLADPY_HOST_VECTORS(int, int, 8, 16)
CLADPY_HOST_VECTORS(unsigned int, uint, 8, 16)
CLADPY_HOST_VECTORS(long, long, 2 * sizeof(long), 16)
CLADPY_HOST_VECTORS(unsigned long, ulong, 2 * sizeof(long), 16)
CLADPY_HOST_VECTORS(long long, longlong, 16, 16)
CLADPY_HOST_VECTORS(unsigned long long, ulonglong, 16, 16)
CLADPY_HOST_VECTORS(float, float, 8, 16)
CLADPY_HOST_VECTORS(double, double, 16, 16)
#undef CLADPY_HOST_VECTORS

// Vectors of four that CUDA 13 has with either alignment.
#define CLADPY_HOST_ALIGNED_VECTORS(T, name, bytes)                                                                    \
  struct alignas(bytes) name##4_##bytes##a {                                                                           \
    T x, y, z, w;                                                                                                      \
  };                                                                                                                   \
  inline name##4_##bytes##a make_##name##4_##bytes##a(T x, T y, T z, T w) { return {x, y, z, w}; }
#define CLADPY_HOST_LARGE_VECTORS(T, name)                                                                             \
  CLADPY_HOST_ALIGNED_VECTORS(T, name, 16)                                                                             \
  CLADPY_HOST_ALIGNED_VECTORS(T, name, 32)
CLADPY_HOST_LARGE_VECTORS(long, long)
CLADPY_HOST_LARGE_VECTORS(unsigned long, ulong)
CLADPY_HOST_LARGE_VECTORS(long long, longlong)
CLADPY_HOST_LARGE_VECTORS(unsigned long long, ulonglong)
CLADPY_HOST_LARGE_VECTORS(double, double)
#undef CLADPY_HOST_LARGE_VECTORS
#undef CLADPY_HOST_ALIGNED_VECTORS

// Implicit conversions from an int, as `<<<n, m>>>` uses them.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// Set by the scheduler before a thread runs or goes on.
CLADPY_HOST_OWN uint3 threadIdx{0, 0, 0};
CLADPY_HOST_OWN uint3 blockIdx{0, 0, 0};
CLADPY_HOST_OWN dim3 blockDim{1, 1, 1};
CLADPY_HOST_OWN dim3 gridDim{1, 1, 1};
constexpr int warpSize = 32;

#endif
