// k(x, y)
// CP0274
__device__ volatile int done;

__global__ void k(const double *x, double *y) {
  while (done < blockIdx.x) {
  }
  y[threadIdx.x] += x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) done = done + 1;
}
