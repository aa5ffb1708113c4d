// run(x, y)
// CP0284
#include <cuda_runtime.h>
texture<float> table;

__global__ void looked_up(float *y) { y[threadIdx.x] *= tex1Dfetch(table, threadIdx.x); }

void run(const float *x, float *y) {
  cudaBindTexture(nullptr, table, x, 32 * sizeof(float));
  looked_up<<<1, 32>>>(y);
}
