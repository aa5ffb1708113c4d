// run(y)
__global__ void sampled(float *y, cudaTextureObject_t image) { y[threadIdx.x] *= tex2D<float>(image, 0.5f, 0.5f); }

void run(float *y) { sampled<<<1, 32>>>(y, 0); }
