// f(x)
__constant__ double given[4];
__global__ void k(double *x) { x[threadIdx.x] *= given[1]; }
void f(double *x) {
  cudaMemcpyToSymbol(given, x, sizeof(double), 4);
  k<<<1, 2>>>(x);
}
