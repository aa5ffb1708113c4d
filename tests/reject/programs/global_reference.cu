// k(x, y)
// CP0201: a reference at namespace scope says nothing about what it refers to.
__device__ double one;
__device__ double &same = one;
__global__ void k(double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * same; }
