// The directions of two lattices, and a periodic box.
#ifndef CLADPY_BENCHMARKS_BOLTZMANN_H
#define CLADPY_BENCHMARKS_BOLTZMANN_H

// Number, direction, weight.
#define D2Q9(ROW)                                                                                                    \
  ROW(0, 0, 0, 4.0f / 9) ROW(1, 1, 0, 1.0f / 9) ROW(2, -1, 0, 1.0f / 9) ROW(3, 0, 1, 1.0f / 9)                       \
  ROW(4, 0, -1, 1.0f / 9) ROW(5, 1, 1, 1.0f / 36) ROW(6, -1, -1, 1.0f / 36) ROW(7, 1, -1, 1.0f / 36)                 \
  ROW(8, -1, 1, 1.0f / 36)

#define D3Q19(ROW)                                                                                                   \
  ROW(0, 0, 0, 0, 1.0f / 3) ROW(1, 1, 0, 0, 1.0f / 18) ROW(2, -1, 0, 0, 1.0f / 18) ROW(3, 0, 1, 0, 1.0f / 18)        \
  ROW(4, 0, -1, 0, 1.0f / 18) ROW(5, 0, 0, 1, 1.0f / 18) ROW(6, 0, 0, -1, 1.0f / 18) ROW(7, 1, 1, 0, 1.0f / 36)      \
  ROW(8, -1, -1, 0, 1.0f / 36) ROW(9, 1, -1, 0, 1.0f / 36) ROW(10, -1, 1, 0, 1.0f / 36)                              \
  ROW(11, 1, 0, 1, 1.0f / 36) ROW(12, -1, 0, -1, 1.0f / 36) ROW(13, 1, 0, -1, 1.0f / 36)                             \
  ROW(14, -1, 0, 1, 1.0f / 36) ROW(15, 0, 1, 1, 1.0f / 36) ROW(16, 0, -1, -1, 1.0f / 36)                             \
  ROW(17, 0, 1, -1, 1.0f / 36) ROW(18, 0, -1, 1, 1.0f / 36)

__device__ __forceinline__ int wrapped(int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; }
#endif
