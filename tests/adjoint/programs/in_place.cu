// What is overwritten and needed is kept, and put back.
__global__ void k(double *x) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  x[i] = x[i] * x[i];
  x[i] = sin(x[i]);
}
