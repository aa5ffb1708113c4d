// CUDA's vector types and their make_ functions.
#ifndef CLADPY_VECTOR_TYPES_H
#define CLADPY_VECTOR_TYPES_H

#define CLADPY_VECTOR(name, scalar, align2, align4)                                                                    \
  struct name##1 { scalar x; };                                                                                        \
  struct __attribute__((aligned(align2))) name##2 { scalar x, y; };                                                    \
  struct name##3 { scalar x, y, z; };                                                                                  \
  struct __attribute__((aligned(align4))) name##4 { scalar x, y, z, w; };                                              \
  static inline __host__ __device__ name##1 make_##name##1(scalar x) { return {x}; }                                   \
  static inline __host__ __device__ name##2 make_##name##2(scalar x, scalar y) { return {x, y}; }                      \
  static inline __host__ __device__ name##3 make_##name##3(scalar x, scalar y, scalar z) { return {x, y, z}; }         \
  static inline __host__ __device__ name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) {                   \
    return {x, y, z, w};                                                                                               \
  }
CLADPY_VECTOR(char, signed char, 2, 4)
CLADPY_VECTOR(uchar, unsigned char, 2, 4)
CLADPY_VECTOR(short, short, 4, 8)
CLADPY_VECTOR(ushort, unsigned short, 4, 8)
CLADPY_VECTOR(int, int, 8, 16)
CLADPY_VECTOR(uint, unsigned int, 8, 16)
CLADPY_VECTOR(long, long, 16, 16)
CLADPY_VECTOR(ulong, unsigned long, 16, 16)
CLADPY_VECTOR(longlong, long long, 16, 16)
CLADPY_VECTOR(ulonglong, unsigned long long, 16, 16)
CLADPY_VECTOR(float, float, 8, 16)
CLADPY_VECTOR(double, double, 16, 16)
#undef CLADPY_VECTOR

// Those of four that CUDA 13 has with either alignment.
#define CLADPY_ALIGNED_VECTOR(name, scalar, bytes)                                                                     \
  struct __attribute__((aligned(bytes))) name##4_##bytes##a { scalar x, y, z, w; };                                    \
  static inline __host__ __device__ name##4_##bytes##a make_##name##4_##bytes##a(scalar x, scalar y, scalar z,         \
                                                                                 scalar w) {                           \
    return {x, y, z, w};                                                                                               \
  }
#define CLADPY_LARGE_VECTOR(name, scalar)                                                                              \
  CLADPY_ALIGNED_VECTOR(name, scalar, 16)                                                                              \
  CLADPY_ALIGNED_VECTOR(name, scalar, 32)
CLADPY_LARGE_VECTOR(long, long)
CLADPY_LARGE_VECTOR(ulong, unsigned long)
CLADPY_LARGE_VECTOR(longlong, long long)
CLADPY_LARGE_VECTOR(ulonglong, unsigned long long)
CLADPY_LARGE_VECTOR(double, double)
#undef CLADPY_LARGE_VECTOR
#undef CLADPY_ALIGNED_VECTOR

struct dim3 {
  unsigned int x, y, z;
  constexpr __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr __host__ __device__ operator uint3() const { return uint3{x, y, z}; }
};

#endif
