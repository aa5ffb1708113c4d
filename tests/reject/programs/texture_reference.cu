// run(y)
texture<float, 1, cudaReadModeElementType> table;

__global__ void looked_up(float *y) { y[threadIdx.x] *= tex1Dfetch(table, threadIdx.x); }

void run(float *y) { looked_up<<<1, 32>>>(y); }
