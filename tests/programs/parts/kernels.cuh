#pragma once
// Kernels that another file launches.
__global__ void blur(double *out, const double *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.5 * in[i] + (i > 0 ? 0.25 * in[i - 1] * in[i] : 0);
}
