// k(x, y)
// CP0501: where arguments may be one memory, what counts may change what is read.
// may_alias=1
__global__ void k(const double *x, double *y, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMax(counts, i);
  y[i] = x[i] * x[i];
}
