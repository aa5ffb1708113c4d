// f(x, y)
// CP0205
__global__ void f(const float *x, float *y) {
  extern __shared__ char *params[];
  float *s = reinterpret_cast<float *>(params);
  s[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[31 - threadIdx.x];
}
