__global__ void k(const double *x, double *y) {
  __shared__ double tile[4096];
  extern __shared__ double edge[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = x[i] * x[i];
  edge[t] = x[i];
  __syncthreads();
  y[i] = tile[blockDim.x - 1 - t] * edge[(t + 1) % blockDim.x];
}
