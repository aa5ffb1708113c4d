// k(x, y)
// CP0502: a decision is not left to code that may compute it otherwise the second time.
__device__ int depth(int n) { return n <= 0 ? 0 : depth(n - 1) + 1; }
__global__ void k(double *x, double *y, int n) {
  for (int i = 0; i < depth(n); ++i) y[i] = x[i];
}
