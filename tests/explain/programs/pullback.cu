// A recursive function has a pullback of its own, which adds to memory as the kernel does.
__device__ double horner(const double *c, double x, int n) {
  if (n == 0) return c[0];
  return c[n] + x * horner(c, x, n - 1);
}
__global__ void k(double *y, const double *x, const double *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = horner(c, x[i], n);
}
