// f(x, n)
__global__ void k(double *x, int n) { x[threadIdx.x] *= x[n]; }
void f(double *x, int n) {
  if (n == 0) return;
  k<<<1, 8>>>(x, n);
  f(x, n - 1);
  f(x, n - 1);
  f(x, n - 1);
  f(x, n - 1);
}
