// k(x)
// CP0110
__global__ void k(cudaSurfaceObject_t image, const float *x) {
  surf1Dwrite(x[threadIdx.x], image, threadIdx.x * 4);
}
