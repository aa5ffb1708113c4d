// k(x, y)
// CP0307, a warning: differentiated in integer arithmetic.
__global__ void k(int *x, int *y) { y[threadIdx.x] = x[threadIdx.x] * 3; }
