// f(x)
// CP0245
__device__ double *buffers;
__global__ void k(double *x) { x[threadIdx.x] *= 2; }
void f(double *x, size_t offset) {
  cudaMemcpyToSymbol(buffers, &x, sizeof x, offset);
  k<<<1, 2>>>(x);
}
