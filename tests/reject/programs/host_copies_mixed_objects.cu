// f(y, x)
// CP0249
#include <cuda_fp16.h>
struct Mixed { double a; __half n; };
__global__ void scale(Mixed *m, double by) { m[threadIdx.x].a *= by * __half2float(m[threadIdx.x].n); }
void f(Mixed *y, const Mixed *x) {
  Mixed *d;
  cudaMalloc(&d, 8 * sizeof(Mixed));
  cudaMemcpy(d, x, 8 * sizeof(Mixed), cudaMemcpyHostToDevice);
  scale<<<1, 8>>>(d, 0.5);
  cudaMemcpy(y, d, 8 * sizeof(Mixed), cudaMemcpyDeviceToHost);
  cudaFree(d);
}
