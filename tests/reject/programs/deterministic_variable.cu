// k(y, w)
// accumulate=deterministic
// CP0505
__device__ double w[4];
__global__ void k(double *y) { y[threadIdx.x] = w[threadIdx.x % 4] * 2.0; }
