// CUDA's complex numbers (cuComplex.h), for the host backend, and for the front end from any route: their derivatives come
// from these bodies. Values are CUDA's to the bit; what CUDA computes and then throws away, as cuCabs does at zero, is not
// computed here, so that no derivative passes through it.
#ifndef CLADPY_COMPLEX_H
#define CLADPY_COMPLEX_H

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define CLADPY_COMPLEX(T, Number, f, make, absolute, root, largest)                                                    \
  __host__ __device__ inline T cuCreal##f(Number z) { return z.x; }                                                    \
  __host__ __device__ inline T cuCimag##f(Number z) { return z.y; }                                                    \
  __host__ __device__ inline Number make(T real, T imaginary) {                                                        \
    Number z;                                                                                                          \
    z.x = real;                                                                                                        \
    z.y = imaginary;                                                                                                   \
    return z;                                                                                                          \
  }                                                                                                                    \
  __host__ __device__ inline Number cuConj##f(Number z) { return make(z.x, -z.y); }                                    \
  __host__ __device__ inline Number cuCadd##f(Number a, Number b) { return make(a.x + b.x, a.y + b.y); }               \
  __host__ __device__ inline Number cuCsub##f(Number a, Number b) { return make(a.x - b.x, a.y - b.y); }               \
  __host__ __device__ inline Number cuCmul##f(Number a, Number b) {                                                    \
    return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                         \
  }                                                                                                                    \
  __host__ __device__ inline Number cuCfma##f(Number a, Number b, Number c) {                                          \
    const T real = a.x * b.x + c.x, imaginary = a.x * b.y + c.y;                                                       \
    return make(-(a.y * b.y) + real, a.y * b.x + imaginary);                                                           \
  }                                                                                                                    \
  __host__ __device__ inline Number cuCdiv##f(Number a, Number b) {                                                    \
    const T scale = T(1) / (absolute(b.x) + absolute(b.y));                                                            \
    const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                                    \
    const T inverse = T(1) / (bx * bx + by * by);                                                                      \
    return make((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);                                         \
  }                                                                                                                    \
  __host__ __device__ inline T cuCabs##f(Number z) {                                                                   \
    const T x = absolute(z.x), y = absolute(z.y);                                                                      \
    const T large = x > y ? x : y, small = x > y ? y : x;                                                              \
    if (large == T(0) || large > largest || small > largest) return large + small;                                     \
    const T ratio = small / large;                                                                                     \
    return large * root(T(1) + ratio * ratio);                                                                         \
  }
CLADPY_COMPLEX(float, cuFloatComplex, f, make_cuFloatComplex, fabsf, sqrtf, 3.402823466e38f)
CLADPY_COMPLEX(double, cuDoubleComplex, , make_cuDoubleComplex, fabs, sqrt, 1.79769313486231570e+308)
#undef CLADPY_COMPLEX

__host__ __device__ inline cuComplex make_cuComplex(float real, float imaginary) {
  return make_cuFloatComplex(real, imaginary);
}
__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex(static_cast<double>(z.x), static_cast<double>(z.y));
}
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex(static_cast<float>(z.x), static_cast<float>(z.y));
}

#endif
