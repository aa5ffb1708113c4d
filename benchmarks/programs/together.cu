// What the threads of a block, or of a warp, do together.

// Squares of 256 numbers, summed by each block.
__global__ void blockred(const double *x, double *y, int n) {
  __shared__ double s[256];
  const int t = static_cast<int>(threadIdx.x);
  const double v = x[blockIdx.x * blockDim.x + threadIdx.x];
  s[t] = v * v;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// Products of mirrored elements of a block.
__global__ void ctasync(const double *x, double *y) {
  __shared__ double s[1024];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x * blockDim.x) + t;
  s[t] = x[i];
  __syncthreads();
  y[i] = s[t] * s[1023 - t];
}

// The same in a warp.
__global__ void wsync(const double *x, double *y) {
  __shared__ double s[32];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x * blockDim.x) + t;
  s[t] = x[i];
  __syncwarp();
  y[i] = s[t] * s[31 - t];
}
