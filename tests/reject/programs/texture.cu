// k(y)
// CP0110
__device__ double sampled(cudaTextureObject_t image, double x) { return tex1D<float>(image, x); }
__global__ void k(cudaTextureObject_t image, const double *x, double *y) {
  y[threadIdx.x] = sampled(image, x[threadIdx.x]);
}
