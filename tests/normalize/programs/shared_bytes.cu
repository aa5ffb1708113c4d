// Bytes in shared memory are numbers of the type that a pointer to them is converted to.
__global__ void k(const float *x, float *y) {
  __shared__ char memory[16];
  float *tile = reinterpret_cast<float *>(memory);
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[3 - threadIdx.x];
}
