// Functions of two halfwords or four bytes in a word, combined additions, maxima and minima, functions of float2.
#ifndef CLADPY_SIMD_DECLARATIONS_H
#define CLADPY_SIMD_DECLARATIONS_H

#define CLADPY_WORD unsigned int
#define CLADPY_UNARY(name)                                                                                             \
  __device__ CLADPY_WORD name##2(CLADPY_WORD);                                                                         \
  __device__ CLADPY_WORD name##4(CLADPY_WORD);
#define CLADPY_BINARY(name)                                                                                            \
  __device__ CLADPY_WORD name##2(CLADPY_WORD, CLADPY_WORD);                                                            \
  __device__ CLADPY_WORD name##4(CLADPY_WORD, CLADPY_WORD);
#define CLADPY_SIGNS(name) CLADPY_BINARY(name##s) CLADPY_BINARY(name##u)
#define CLADPY_COMPARED(name) CLADPY_BINARY(__vcmp##name) CLADPY_BINARY(__vset##name)
#define CLADPY_ORDERED(name) CLADPY_COMPARED(name##s) CLADPY_COMPARED(name##u)
extern "C" {
CLADPY_UNARY(__vabs) CLADPY_UNARY(__vabsss) CLADPY_UNARY(__vneg) CLADPY_UNARY(__vnegss)
CLADPY_BINARY(__vadd) CLADPY_BINARY(__vaddss) CLADPY_BINARY(__vaddus)
CLADPY_BINARY(__vsub) CLADPY_BINARY(__vsubss) CLADPY_BINARY(__vsubus)
CLADPY_BINARY(__vhaddu)
CLADPY_SIGNS(__vavg) CLADPY_SIGNS(__vabsdiff) CLADPY_SIGNS(__vsad) CLADPY_SIGNS(__vmax) CLADPY_SIGNS(__vmin)
CLADPY_COMPARED(eq) CLADPY_COMPARED(ne)
CLADPY_ORDERED(ge) CLADPY_ORDERED(gt) CLADPY_ORDERED(le) CLADPY_ORDERED(lt)

#define CLADPY_COMBINED(name)                                                                                          \
  __device__ int __viadd##name##_s32(int, int, int);                                                                   \
  __device__ int __viadd##name##_s32_relu(int, int, int);                                                              \
  __device__ CLADPY_WORD __viadd##name##_u32(CLADPY_WORD, CLADPY_WORD, CLADPY_WORD);                                   \
  __device__ CLADPY_WORD __viadd##name##_s16x2(CLADPY_WORD, CLADPY_WORD, CLADPY_WORD);                                 \
  __device__ CLADPY_WORD __viadd##name##_s16x2_relu(CLADPY_WORD, CLADPY_WORD, CLADPY_WORD);                            \
  __device__ CLADPY_WORD __viadd##name##_u16x2(CLADPY_WORD, CLADPY_WORD, CLADPY_WORD);                                 \
  __device__ int __vi##name##3_s32(int, int, int);                                                                     \
  __device__ int __vi##name##3_s32_relu(int, int, int);                                                                \
  __device__ CLADPY_WORD __vi##name##3_u32(CLADPY_WORD, CLADPY_WORD, CLADPY_WORD);                                     \
  __device__ CLADPY_WORD __vi##name##3_s16x2(CLADPY_WORD, CLADPY_WORD, CLADPY_WORD);                                   \
  __device__ CLADPY_WORD __vi##name##3_s16x2_relu(CLADPY_WORD, CLADPY_WORD, CLADPY_WORD);                              \
  __device__ CLADPY_WORD __vi##name##3_u16x2(CLADPY_WORD, CLADPY_WORD, CLADPY_WORD);                                   \
  __device__ int __vi##name##_s32_relu(int, int);                                                                      \
  __device__ CLADPY_WORD __vi##name##_s16x2_relu(CLADPY_WORD, CLADPY_WORD);                                            \
  __device__ int __vib##name##_s32(int, int, bool *);                                                                  \
  __device__ CLADPY_WORD __vib##name##_u32(CLADPY_WORD, CLADPY_WORD, bool *);                                          \
  __device__ CLADPY_WORD __vib##name##_s16x2(CLADPY_WORD, CLADPY_WORD, bool *, bool *);                                \
  __device__ CLADPY_WORD __vib##name##_u16x2(CLADPY_WORD, CLADPY_WORD, bool *, bool *);
CLADPY_COMBINED(max)
CLADPY_COMBINED(min)
#undef CLADPY_COMBINED
}

#define CLADPY_DOT(Sum, Char4, Short2)                                                                                 \
  __device__ Sum __dp4a(Sum, Sum, Sum);                                                                                \
  __device__ Sum __dp4a(Char4, Char4, Sum);                                                                            \
  __device__ Sum __dp2a_lo(Sum, Sum, Sum);                                                                             \
  __device__ Sum __dp2a_hi(Sum, Sum, Sum);                                                                             \
  __device__ Sum __dp2a_lo(Short2, Char4, Sum);                                                                        \
  __device__ Sum __dp2a_hi(Short2, Char4, Sum);
CLADPY_DOT(int, char4, short2)
CLADPY_DOT(unsigned int, uchar4, ushort2)
#undef CLADPY_DOT

// Two floats at a time, by what it does to each.
#define CLADPY_FLOAT2(mode)                                                                                            \
  static inline __device__ float2 __fadd2_##mode(float2 x, float2 y) {                                                 \
    return {__fadd_##mode(x.x, y.x), __fadd_##mode(x.y, y.y)};                                                         \
  }                                                                                                                    \
  static inline __device__ float2 __fmul2_##mode(float2 x, float2 y) {                                                 \
    return {__fmul_##mode(x.x, y.x), __fmul_##mode(x.y, y.y)};                                                         \
  }                                                                                                                    \
  static inline __device__ float2 __ffma2_##mode(float2 x, float2 y, float2 z) {                                       \
    return {__fmaf_##mode(x.x, y.x, z.x), __fmaf_##mode(x.y, y.y, z.y)};                                               \
  }
CLADPY_FLOAT2(rn)
CLADPY_FLOAT2(rz)
CLADPY_FLOAT2(ru)
CLADPY_FLOAT2(rd)
#undef CLADPY_FLOAT2

#undef CLADPY_ORDERED
#undef CLADPY_COMPARED
#undef CLADPY_SIGNS
#undef CLADPY_BINARY
#undef CLADPY_UNARY
#undef CLADPY_WORD
#endif
