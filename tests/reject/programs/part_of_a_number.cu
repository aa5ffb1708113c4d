// k(x, y)
// CP0232
__global__ void k(const float *x, float *y, unsigned *words) {
  ((unsigned char *)words)[threadIdx.x] = threadIdx.x;
  y[threadIdx.x] = x[threadIdx.x] * words[threadIdx.x / 4];
}
