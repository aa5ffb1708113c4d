// k(x, y)
// CP0232
__global__ void k(const double *x, double *y) {
  __shared__ __align__(8) char memory[32 * 12];
  double *numbers = (double *)memory;
  int *counts = (int *)(memory + 32 * 8);
  numbers[threadIdx.x] = x[threadIdx.x];
  counts[threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = numbers[31 - threadIdx.x] * counts[(threadIdx.x + 1) % 32];
}
