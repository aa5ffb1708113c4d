// k(x, y)
// CP0110
__device__ double sampled(cudaTextureObject_t image, double x) { return texCubemap<float>(image, x, 0.0f, x); }
__global__ void k(cudaTextureObject_t image, const double *x, double *y) {
  y[threadIdx.x] = x[threadIdx.x] * sampled(image, x[threadIdx.x]);
}
