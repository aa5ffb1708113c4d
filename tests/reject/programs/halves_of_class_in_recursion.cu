// k(rows)
// CP0519
#include <cuda_fp16.h>
struct Rows {
  const __half *x;
  float *y;
};
__device__ float power(const __half *x, int n) { return n == 0 ? 1.0f : __half2float(*x) * power(x, n - 1); }
__global__ void k(Rows rows) { rows.y[threadIdx.x] = power(rows.x + threadIdx.x, 3); }
