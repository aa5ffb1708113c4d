// f(y, x)
// CP0249
struct Mixed { double a; int n; };
__global__ void scale(Mixed *m, double by) { m[threadIdx.x].a *= by * m[threadIdx.x].n; }
void f(Mixed *y, const Mixed *x) {
  Mixed *d;
  cudaMalloc(&d, 8 * sizeof(Mixed));
  cudaMemcpy(d, x, 8 * sizeof(Mixed), cudaMemcpyHostToDevice);
  scale<<<1, 8>>>(d, 0.5);
  cudaMemcpy(y, d, 8 * sizeof(Mixed), cudaMemcpyDeviceToHost);
  cudaFree(d);
}
