// k(x, y)
// CP0214
__global__ void k(double *x, double *y, cudaStream_t stream) { y[0] = x[0]; }
