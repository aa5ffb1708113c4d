// k(x, y)
// accumulate=deterministic
// CP0505
__global__ void k(double *x, double *y) { y[threadIdx.x] = x[threadIdx.x / 2] * x[0]; }
