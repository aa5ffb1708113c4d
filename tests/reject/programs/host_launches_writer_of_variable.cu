// f(x)
// CP0520
__device__ double *total;
__global__ void sum(const double *x) { atomicAdd(total, x[threadIdx.x]); }
double f(double *x) {
  sum<<<1, 32>>>(x);
  double result;
  cudaMemcpy(&result, x, sizeof result, cudaMemcpyDeviceToHost);
  return result;
}
