// k(x, y, w)
// CP0508
__device__ double w = 2;
__device__ double power(double x, int n) { return n == 0 ? 1.0 : w * x * power(x, n - 1); }
__global__ void k(double *x, double *y) { y[threadIdx.x] = power(x[threadIdx.x], 3); }
