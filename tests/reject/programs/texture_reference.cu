// run(y)
texture<float, 2, cudaReadModeElementType> image;

__global__ void looked_up(float *y) { y[threadIdx.x] *= tex2D(image, threadIdx.x, 0); }

void run(float *y) { looked_up<<<1, 32>>>(y); }
