// k(x)
// CP0302
__global__ void k(double *x, double *y) { y[threadIdx.x] = x[threadIdx.x]; }
