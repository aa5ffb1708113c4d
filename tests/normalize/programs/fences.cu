// Fences order nothing that a gradient would see; a subtraction is an addition.
__global__ void k(const double *x, double *y, int *count) {
  y[threadIdx.x] = x[threadIdx.x];
  __threadfence_block();
  atomicSub(count, 1);
  __threadfence();
}
