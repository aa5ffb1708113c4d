// k(x, y)
// CP0232
__global__ void k(const float *x, float *y) {
  extern __shared__ int words[];
  float *numbers = reinterpret_cast<float *>(words);
  words[threadIdx.x] = 0x3f800000;
  __syncthreads();
  atomicAdd(&numbers[threadIdx.x / 2], x[threadIdx.x]);
  __syncthreads();
  y[threadIdx.x] = numbers[threadIdx.x / 2] * numbers[threadIdx.x / 2];
}
