// k(x, y)
// CP0501: of two numbers that are put there, who comes last decides.
__global__ void k(const double *x, double *y) {
  __shared__ int flag;
  if (x[threadIdx.x] > 0.5) atomicExch(&flag, 1);
  else atomicExch(&flag, 2);
  __syncthreads();
  y[threadIdx.x] = x[threadIdx.x] * flag;
}
