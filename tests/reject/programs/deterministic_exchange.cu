// k(x, y)
// accumulate=deterministic
// CP0505
__global__ void k(double *x, double *y) { y[0] = x[threadIdx.x]; }
