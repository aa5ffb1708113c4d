// k(x, y)
// CP0460
__global__ void k(int *x, int *y) { y[threadIdx.x] = __reduce_max_sync(0xffffffff, x[threadIdx.x]); }
