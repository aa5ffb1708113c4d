// k(x, y)
// The integers may be bits of the numbers.
__global__ void k(const float *x, float *y) {
  extern __shared__ float s[];
  int i = threadIdx.x;
  s[i] = x[i] * x[i];
  __syncthreads();
  int v = ((int *)s)[31 - i];
  *(int *)&y[i] = v;
}
