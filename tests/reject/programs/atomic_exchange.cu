// k(x, y)
// CP0225
__global__ void k(float *x, float *y) { atomicExch(&y[threadIdx.x], x[threadIdx.x]); }
