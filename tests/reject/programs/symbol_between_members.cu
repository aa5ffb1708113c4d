// f(x)
struct Pair {
  double a, b;
};
__constant__ Pair given[2];
__global__ void k(double *x) { x[threadIdx.x] *= given[0].a; }
void f(double *x) {
  cudaMemcpyToSymbol(given, x, sizeof(double), 20);
  k<<<1, 2>>>(x);
}
