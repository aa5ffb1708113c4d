// k(x, y, count)
// CP0313
__device__ int count[4];
__global__ void k(double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * count[0]; }
