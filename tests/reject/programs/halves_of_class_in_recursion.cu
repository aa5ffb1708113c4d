// k(rows, y)
// CP0519
#include <cuda_fp16.h>
struct Row {
  __half x[4];
};
__device__ float power(const __half *x, int n) { return n == 0 ? 1.0f : __half2float(*x) * power(x, n - 1); }
__global__ void k(const Row *rows, float *y) { y[threadIdx.x] = power(rows[threadIdx.x].x, 3); }
