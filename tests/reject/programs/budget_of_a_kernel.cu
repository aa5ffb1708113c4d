// k(x, y)
// checkpoint=binomial:1G
// CP0317
__global__ void k(double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
