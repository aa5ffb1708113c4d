// k(x, y)
// fresh=y
// CP0311
__global__ void k(double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
